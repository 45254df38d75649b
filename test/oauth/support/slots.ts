import { formOf } from "../../browser.ts";
import type { World } from "../../world.ts";
import { exchange, post } from "./application.ts";
import type { Everything } from "./credentials.ts";

/** Where a credential can be sent, and the response to a wrong one. */
interface Slot {
  takes: string[];
  put(text: string): Promise<Response>;
  /** Returns whether a response has this refusal's status and error or body. */
  says(answer: Response): Promise<boolean>;
}

const errorIs = (status: number, error: string) => async (answer: Response) =>
  answer.status === status && ((await answer.json()) as { error?: string }).error === error;

const bodyIs = (status: number, body: string) => async (answer: Response) =>
  answer.status === status && (await answer.text()) === body;

const statusIs = (status: number) => async (answer: Response) => {
  await answer.arrayBuffer();
  return answer.status === status;
};

/** Returns every place of the service that takes a credential. */
export function slots(the: World, { app, browser, granted }: Everything): Map<string, Slot> {
  const bearer = (url: string, text: string, init: RequestInit = {}) =>
    fetch(url, {
      ...init,
      headers: { Authorization: `Bearer ${text}`, "Content-Type": "application/json" },
    });
  const query = JSON.stringify({ project_id: the.project.id });
  const form = { project_id: the.project.id, scope: "mcp:read", decision: "approve" };
  return new Map<string, Slot>([
    [
      "code",
      {
        takes: ["code"],
        put: (code) => exchange(the, granted, { code }),
        says: errorIs(400, "invalid_grant"),
      },
    ],
    [
      "refresh_token",
      {
        takes: ["refresh token", "superseded refresh token"],
        put: (text) => app.refresh(text),
        says: errorIs(400, "invalid_grant"),
      },
    ],
    [
      "client_id",
      {
        takes: ["client_id"],
        put: (clientId) => exchange(the, { ...granted, clientId }),
        says: errorIs(401, "invalid_client"),
      },
    ],
    [
      "/mcp",
      { takes: ["access token"], put: (text) => bearer(`${the.authUrl}/mcp`, text), says: statusIs(401) },
    ],
    [
      "the API",
      {
        takes: ["API key"],
        put: (text) => bearer(`${the.baseUrl}/api/leads/query/`, text, { method: "POST", body: query }),
        says: statusIs(401),
      },
    ],
    [
      "revocation",
      {
        takes: ["access token", "refresh token", "superseded refresh token"],
        put: (token) => post(the, "/api/oauth/revoke", { token }),
        says: bodyIs(200, "{}"),
      },
    ],
    [
      "introspection",
      {
        takes: ["access token", "refresh token"],
        put: (token) => post(the, "/api/oauth/introspect", { token }),
        says: bodyIs(200, '{"active":false}'),
      },
    ],
    [
      "the session cookie",
      {
        takes: ["session"],
        put: (text) =>
          fetch(`${the.authUrl}/connected-apps`, {
            headers: { Cookie: `leadgate_session=${text}` },
            redirect: "manual",
          }),
        says: statusIs(303),
      },
    ],
    [
      "the set-up address",
      { takes: ["set-up link"], put: (text) => fetch(`${the.authUrl}/setup/${text}`), says: statusIs(404) },
    ],
    [
      "the reset address",
      { takes: ["reset link"], put: (text) => fetch(`${the.authUrl}/reset/${text}`), says: statusIs(404) },
    ],
    [
      "the invitation address",
      {
        takes: ["invitation"],
        put: (text) => fetch(`${the.authUrl}/invitation/${text}`),
        says: statusIs(404),
      },
    ],
    [
      "the consent form",
      {
        takes: ["form token"],
        async put(text) {
          const consent = await formOf(await browser.get(app.address()));
          return await browser.post(consent.action, { ...consent.hidden, ...form, token: text });
        },
        says: statusIs(403),
      },
    ],
  ]);
}
