import { setTimeout as sleep } from "node:timers/promises";
import { challengeOf } from "../../../src/domain/grants/pkce.ts";
import { type Call, isAcknowledged, textIn } from "../history.ts";
import type { Act, Actor } from "./actor.ts";

const REDIRECT = "https://chaos.example/back";
const VERIFIER = "v".repeat(43);

interface Page {
  text: string;
  location: string;
  cookie: string;
}

const pageOf = (text: string, headers: Headers): Page => ({
  text,
  location: headers.get("location") ?? "",
  cookie: headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; "),
});

/** Signs the person in and registers an application, before the faults; returns the cookies and the client's id. */
export async function signedIn(actor: Actor, origin: string): Promise<{ cookie: string; clientId: string }> {
  const { email, password } = actor.scene.cast.person;
  const form = await actor.ask({ op: "oauth.sign-in", method: "GET", path: "/sign-in", keep: pageOf });
  const fields = { ...hiddenOf(textIn(form.answer, "text")), email, password };
  const before = textIn(form.answer, "cookie");
  const back = await actor.ask({
    ...{
      op: "oauth.sign-in",
      method: "POST",
      path: "/sign-in",
      body: new URLSearchParams(fields),
      keep: pageOf,
    },
    headers: { Origin: origin, Cookie: before },
  });
  const registered = await actor.ask({
    ...{ op: "oauth.register", method: "POST", path: "/api/oauth/register" },
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ redirect_uris: [REDIRECT], client_name: "Chaos" }),
  });
  const clientId = textIn(registered.answer, "client_id");
  if (back.status !== 303 || clientId === "") throw new Error(`could not sign in: ${back.status}`);
  return { cookie: [before, textIn(back.answer, "cookie")].filter(Boolean).join("; "), clientId };
}

/** Holds one chain of tokens after the other: refreshes, sometimes replays a superseded token, sometimes revokes. */
export const holding =
  (origin: string, who: { cookie: string; clientId: string }): Act =>
  async (actor) => {
    for (let n = 1; !actor.isOver; n += 1) {
      const chain = `${actor.name}-${n}`;
      const code = await codeOf(actor, origin, who);
      if (code === undefined) {
        await sleep(100);
        continue;
      }
      await live(actor, who.clientId, chain, code);
    }
  };

async function codeOf(
  actor: Actor,
  origin: string,
  { cookie, clientId }: { cookie: string; clientId: string },
): Promise<string | undefined> {
  const wish = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: REDIRECT, response_type: "code", state: "s" },
    ...{ scope: "mcp:read", code_challenge: challengeOf(VERIFIER), code_challenge_method: "S256" },
  });
  const headers = { Cookie: cookie, Origin: origin };
  const page = await actor.ask({
    ...{ op: "oauth.authorize", method: "GET", path: `/oauth/authorize?${wish}`, headers, keep: pageOf },
  });
  if (page.status !== 200) return undefined;
  const text = textIn(page.answer, "text");
  const back = await actor.ask({
    ...{ op: "oauth.authorize", method: "POST", headers, keep: pageOf },
    path: unescaped(/<form method="post" action="([^"]*)"/.exec(text)?.[1] ?? "/oauth/authorize"),
    body: new URLSearchParams({
      ...hiddenOf(text),
      ...{ project_id: actor.scene.cast.projectId, scope: "mcp:read", decision: "approve" },
    }),
  });
  if (back.status === null || back.status >= 500) return undefined;
  // A page of ours, such as the form once more, has no code.
  return URL.parse(textIn(back.answer, "location"))?.searchParams.get("code") ?? undefined;
}

/** Asks the token endpoint; `about` names the chain, the token and what the actor has in mind. */
const token = (actor: Actor, op: Call["op"], about: Call["about"], fields: Record<string, string>) =>
  actor.ask({ op, about, method: "POST", path: PATHS[op] ?? "", body: new URLSearchParams(fields) });

const PATHS: Partial<Record<Call["op"], string>> = {
  "oauth.exchange": "/api/oauth/token",
  "oauth.refresh": "/api/oauth/token",
  "oauth.introspect": "/api/oauth/introspect",
  "oauth.revoke": "/api/oauth/revoke",
};

export const refresh = (actor: Actor, clientId: string, chain: string, refreshToken: string): Promise<Call> =>
  token(...([actor, "oauth.refresh", { chain, token: refreshToken }] as const), {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: clientId,
  });

export const introspect = (actor: Actor, chain: string, access: string): Promise<Call> =>
  token(actor, "oauth.introspect", { chain, token: access }, { token: access });

export const exchange = (actor: Actor, clientId: string, chain: string, code: string): Promise<Call> =>
  token(...([actor, "oauth.exchange", { chain, code, client: clientId }] as const), {
    ...{ grant_type: "authorization_code", code, client_id: clientId, redirect_uri: REDIRECT },
    code_verifier: VERIFIER,
  });

async function live(actor: Actor, clientId: string, chain: string, code: string): Promise<void> {
  const once = () => exchange(actor, clientId, chain, code);
  // Sometimes two requests race for the same code.
  const answers = await Promise.all(actor.chance.isOneIn(3) ? [once(), once()] : [once()]);
  let current = answers.find(isAcknowledged);
  const earlier: string[] = [];
  for (
    let left = actor.chance.between(3, 40);
    left > 0 && current !== undefined && !actor.isOver;
    left -= 1
  ) {
    const held = textIn(current.answer, "refresh_token");
    const access = textIn(current.answer, "access_token");
    if (earlier.length > 0 && actor.chance.isOneIn(25)) {
      await actor.pause(await refresh(actor, clientId, chain, actor.chance.of(earlier)));
      await introspect(actor, chain, access);
    } else if (actor.chance.isOneIn(25)) {
      const about = { chain, token: held };
      await actor.pause(await token(actor, "oauth.revoke", about, { token: held, client_id: clientId }));
      await introspect(actor, chain, access);
    } else if (actor.chance.isOneIn(4)) {
      await actor.pause(await introspect(actor, chain, access));
      continue;
    }
    const next = await refresh(actor, clientId, chain, held);
    if (isAcknowledged(next)) {
      earlier.push(held);
      current = next;
    } else if (next.status === 400) {
      current = undefined;
    }
    await actor.pause(next);
  }
}

function hiddenOf(page: string): Record<string, string> {
  const form = /<form method="post"[^>]*>([\s\S]*?)<\/form>/.exec(page)?.[1] ?? "";
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [unescaped(name), unescaped(value)]));
}

const unescaped = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
