import { createHash, randomBytes } from "node:crypto";
import { type Browser, formOf } from "../../browser.ts";
import type { World } from "../../world.ts";

export const REDIRECT = "https://app.example/cb";

/** Returns the JSON of a response whose members a test is about to check. */
export const bodyOf = async (answer: Response): Promise<Record<string, unknown>> =>
  (await answer.json()) as Record<string, unknown>;

type Fields = Record<string, string | undefined>;

const present = (fields: Fields): Array<[string, string]> =>
  Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);

/** A code that the application received, and what its exchange needs. */
export interface Granted {
  code: string;
  verifier: string;
  clientId: string;
  redirectUri: string;
}

export interface Tokens {
  access: string;
  refresh: string;
}

/** What a person does on the consent page; by default they approve with everything ticked. */
export interface Choice {
  projectId?: string;
  scopes?: string[];
  decision?: "approve" | "deny";
  /** Whether to be asked before each change. */
  asks?: boolean;
}

/** A third-party application that knows only the service's URLs. */
export class Application {
  readonly the: World;
  readonly clientId: string;
  readonly redirectUri: string;

  constructor(the: World, clientId: string, redirectUri = REDIRECT) {
    this.the = the;
    this.clientId = clientId;
    this.redirectUri = redirectUri;
  }

  static async register(the: World, metadata: object = {}): Promise<Application> {
    const answer = await register(the, {
      redirect_uris: [REDIRECT],
      client_name: "Test application",
      ...metadata,
    });
    const { client_id: clientId, redirect_uris: uris } = await bodyOf(answer);
    return new Application(the, String(clientId), (uris as string[])[0]);
  }

  /** Returns the URL of an authorization request; undefined leaves a parameter out. */
  address(parameters: Fields = {}): string {
    const all = {
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      response_type: "code",
      state: "st4te",
      code_challenge: challengeOf("v".repeat(43)),
      code_challenge_method: "S256",
      scope: "mcp:read mcp:write",
      ...parameters,
    };
    return `/oauth/authorize?${new URLSearchParams(present(all))}`;
  }

  /** Opens the consent page in a signed-in browser and submits the decision. */
  async decide(browser: Browser, choice: Choice = {}, parameters: Fields = {}): Promise<Response> {
    const form = await formOf(await browser.get(this.address(parameters)));
    const scopes = choice.scopes ?? ["mcp:read", "mcp:write"];
    return await browser.post(form.action, [
      ...Object.entries(form.hidden),
      ["project_id", choice.projectId ?? this.the.project.id],
      ...scopes.map((scope): [string, string] => ["scope", scope]),
      ...(choice.asks === true ? [["writes", "propose"] as [string, string]] : []),
      ["decision", choice.decision ?? "approve"],
    ]);
  }

  async code(browser: Browser, choice: Choice = {}, parameters: Fields = {}): Promise<Granted> {
    const verifier = randomBytes(32).toString("base64url");
    const answer = await this.decide(browser, choice, {
      code_challenge: challengeOf(verifier),
      ...parameters,
    });
    const code = new URL(answer.headers.get("location") ?? "about:blank").searchParams.get("code");
    if (code === null)
      throw new Error(`no code came back: ${answer.status} ${answer.headers.get("location")}`);
    const redirectUri = parameters.redirect_uri ?? this.redirectUri;
    return { code, verifier, clientId: this.clientId, redirectUri };
  }

  /** Obtains a code and exchanges it. */
  async tokens(browser: Browser, choice: Choice = {}): Promise<Tokens> {
    return await tokensOf(await exchange(this.the, await this.code(browser, choice)));
  }

  refresh(refreshToken: string, more: Fields = {}): Promise<Response> {
    const fields = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: this.clientId };
    return post(this.the, "/api/oauth/token", { ...fields, ...more });
  }

  async isActive(token: string): Promise<boolean> {
    return (await bodyOf(await post(this.the, "/api/oauth/introspect", { token }))).active === true;
  }
}

export const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

export async function tokensOf(answer: Response): Promise<Tokens> {
  const body = await bodyOf(answer);
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${JSON.stringify(body)}`);
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}

export function register(
  the: World,
  metadata: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${the.authUrl}/api/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
  });
}

export function post(the: World, path: string, fields: Fields): Promise<Response> {
  return fetch(the.authUrl + path, { method: "POST", body: new URLSearchParams(present(fields)) });
}

export function exchange(the: World, granted: Granted, more: Fields = {}): Promise<Response> {
  const { code, verifier, clientId, redirectUri } = granted;
  return post(the, "/api/oauth/token", {
    grant_type: "authorization_code",
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...more,
  });
}

/** Returns status, error and description of a refused call, as one line. */
export async function refusalIn(answer: Response): Promise<string> {
  const { error, error_description: description } = await bodyOf(answer);
  return `${answer.status} ${error}: ${description}`;
}
