import { register } from "../../oauth/support/application.ts";
import type { World } from "../../world.ts";

export const CALLBACK = "http://127.0.0.1:8765/callback";

/** The scopes that every client here requests. */
export const SCOPE = "mcp:read mcp:write";

/** The tokens that a client holds after an exchange or a refresh. */
export interface Pair {
  access: string;
  refresh: string;
}

/** Sends the person to an authorization URL and returns the URL that the browser was redirected to. */
export type Ask = (address: URL) => Promise<URL>;

/** An authorized application, with what its library can do. */
export interface Connection extends Pair {
  /** Refreshes with this token; rejects if the service refuses. */
  renew(refresh: string): Promise<Pair>;
  isActive?(token: string): Promise<boolean>;
  end?(token: string): Promise<void>;
}

/**
 * A client library used like an application does: it discovers, registers, authorizes, compares state and
 * iss, exchanges.
 */
export interface ClientLibrary {
  name: string;
  connect(the: World, ask: Ask): Promise<Connection>;
}

/** Registers without the library, for libraries that cannot. */
export async function registered(the: World, name: string): Promise<string> {
  const answer = await register(the, { client_name: name, redirect_uris: [CALLBACK] });
  return ((await answer.json()) as { client_id: string }).client_id;
}

/** Returns service.md's discovery URL: one document with all other URLs. */
export const discoveryAddress = (the: World): string =>
  `${the.authUrl}/api/well-known/oauth-authorization-server`;

/** Returns the URLs in the discovery document, for libraries that do not read it. */
export async function addresses(the: World): Promise<Record<string, string>> {
  return (await (await fetch(discoveryAddress(the))).json()) as Record<string, string>;
}

/** Returns the code after the checks that some libraries leave to the application: refusal, state, issuer. */
export function codeIn(the: World, back: URL, state: string): string {
  const { searchParams: given } = back;
  if (given.get("iss") !== the.authUrl) throw new Error("another issuer answered");
  if (given.get("state") !== state) throw new Error("another state came back");
  if (given.has("error")) throw new Error(given.get("error") ?? "");
  return given.get("code") ?? "";
}
