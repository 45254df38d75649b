import { register } from "../../oauth/support/application.ts";
import type { World } from "../../world.ts";

export const CALLBACK = "http://127.0.0.1:8765/callback";

/** The scopes that every client here asks for. */
export const SCOPE = "mcp:read mcp:write";

/** What a client holds after an exchange or a refresh. */
export interface Pair {
  access: string;
  refresh: string;
}

/** Sends the person to an authorization address and answers where the browser came back to. */
export type Ask = (address: URL) => Promise<URL>;

/** An application that was let in, with what its library can do about it. */
export interface Connection extends Pair {
  /** Refreshes with this token; rejects when the service refuses. */
  renew(refresh: string): Promise<Pair>;
  isActive?(token: string): Promise<boolean>;
  end?(token: string): Promise<void>;
}

/** A client library as an application uses it: it discovers, registers, asks, compares state and iss, exchanges. */
export interface ClientLibrary {
  name: string;
  connect(the: World, ask: Ask): Promise<Connection>;
}

/** Registers by hand, for the libraries that cannot. */
export async function registered(the: World, name: string): Promise<string> {
  const answer = await register(the, { client_name: name, redirect_uris: [CALLBACK] });
  return ((await answer.json()) as { client_id: string }).client_id;
}

/** service.md's discovery address: one document names all others. */
export const discoveryAddress = (the: World): string =>
  `${the.authUrl}/api/well-known/oauth-authorization-server`;

/** The addresses of the discovery document, for libraries that do not read it. */
export async function addresses(the: World): Promise<Record<string, string>> {
  return (await (await fetch(discoveryAddress(the))).json()) as Record<string, string>;
}

/** What an application whose library does not look has to compare itself: refusal, state, issuer. */
export function codeIn(the: World, back: URL, state: string): string {
  const { searchParams: given } = back;
  if (given.get("iss") !== the.authUrl) throw new Error("another issuer answered");
  if (given.get("state") !== state) throw new Error("another state came back");
  if (given.has("error")) throw new Error(given.get("error") ?? "");
  return given.get("code") ?? "";
}
