import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../browser.ts";
import { world } from "../world.ts";
import { Application, bodyOf, exchange, post, tokensOf } from "./support/application.ts";

test("an application registers, a person lets it in, tokens are issued, refreshed, shown and ended", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const answer = await exchange(the, await app.code(browser));
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  const issued = await bodyOf(answer);
  assert.deepEqual(Object.keys(issued).sort(), [
    "access_token",
    "expires_in",
    "refresh_token",
    "scope",
    "token_type",
  ]);
  assert.equal(issued.token_type, "Bearer");
  assert.equal(issued.expires_in, 3_600);
  assert.equal(issued.scope, "mcp:read mcp:write");
  const first = { access: String(issued.access_token), refresh: String(issued.refresh_token) };
  const second = await tokensOf(await app.refresh(first.refresh));
  assert.notEqual(second.refresh, first.refresh);
  assert.ok(await app.isActive(first.access), "refreshing leaves earlier access tokens valid");
  assert.ok(await app.isActive(second.access));
  const third = await tokensOf(await app.refresh(second.refresh));
  const ended = await post(the, "/api/oauth/revoke", { token: third.refresh });
  assert.equal(ended.status, 200);
  assert.deepEqual(await bodyOf(ended), {});
  for (const { access } of [first, second, third]) assert.equal(await app.isActive(access), false);
});

test("the person signs in on the way and comes back with code, state byte for byte, and iss", async () => {
  await using the = await world();
  const app = await Application.register(the, { redirect_uris: ["https://app.example/cb?keep=a%20b"] });
  const browser = the.browser();
  const state = `a b+c%2F&="'<é>~`;
  const signIn = await formOf(await browser.get(app.address({ state })));
  assert.match(signIn.page, /name="email"[\s\S]*name="password"/);
  const { email, password } = the.person;
  const wrong = await browser.post(signIn.action, { ...signIn.hidden, email, password: "not this one" });
  assert.equal(wrong.status, 401);
  const again = await formOf(wrong);
  const back = await browser.post(again.action, { ...again.hidden, email, password });
  assert.equal(back.status, 303);
  const consent = await formOf(await browser.get(back.headers.get("location") ?? ""));
  const decided = await browser.post(consent.action, [
    ...Object.entries(consent.hidden),
    ["project_id", the.project.id],
    ["scope", "mcp:read"],
    ["decision", "approve"],
  ]);
  assert.equal(decided.status, 303);
  const location = decided.headers.get("location") ?? "";
  assert.ok(location.startsWith("https://app.example/cb?keep=a%20b&code=lgc_"), location);
  const returned = new URL(location).searchParams;
  assert.equal(returned.get("state"), state);
  assert.equal(returned.get("iss"), the.authUrl);
  assert.deepEqual([...returned.keys()], ["keep", "code", "state", "iss"]);
});
