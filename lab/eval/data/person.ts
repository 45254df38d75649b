import { createHash, randomBytes } from "node:crypto";
import { Browser, formOf } from "../../../test/browser.ts";

const REDIRECT = "https://assistant.example/callback";

/** A member of the planted project, signed in on our page. */
export interface Person {
  browser: Browser;
  /** Calls the REST API as the panel does, with the person's session; throws unless it succeeds. */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

/** Signs a person in. */
export async function signedIn(
  authUrl: string,
  projectId: string,
  account: { email: string; password: string },
): Promise<Person> {
  const browser = new Browser(authUrl);
  await browser.signIn(account);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const me = await (await fetch(`${authUrl}/panel/api/me`, { headers: { Cookie: cookie } })).json();
  const token = String((me as { token: unknown }).token);
  return {
    browser,
    async call(method, path, body) {
      const answer = await fetch(`${authUrl}/panel/api/${projectId}/v1${path}`, {
        method,
        headers: { Cookie: cookie, "X-Form-Token": token, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    },
  };
}

/** Registers an application; returns its client id. */
export async function registerApplication(authUrl: string, name: string): Promise<string> {
  const answer = await fetch(`${authUrl}/api/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ redirect_uris: [REDIRECT], client_name: name }),
  });
  return String((await read(answer)).client_id);
}

/** Authorizes the application for a project on the consent page; returns its access token. */
export async function authorize(browser: Browser, clientId: string, projectId: string): Promise<string> {
  const verifier = randomBytes(32).toString("base64url");
  const asked = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: REDIRECT, response_type: "code", state: "s" },
    ...{ scope: "mcp:read mcp:write", code_challenge_method: "S256" },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  });
  const form = await formOf(await browser.get(`/oauth/authorize?${asked}`));
  const answer = await browser.post(form.action, [
    ...Object.entries(form.hidden),
    ["project_id", projectId],
    ["scope", "mcp:read"],
    ["scope", "mcp:write"],
    ["decision", "approve"],
  ]);
  const code = new URL(answer.headers.get("location") ?? "about:blank").searchParams.get("code");
  if (code === null) throw new Error(`no code came back: ${answer.status}`);
  const tokens = await fetch(`${browser.origin}/api/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", code, client_id: clientId },
      ...{ redirect_uri: REDIRECT, code_verifier: verifier },
    }),
  });
  return String((await read(tokens)).access_token);
}

async function read(answer: Response): Promise<Record<string, unknown>> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
