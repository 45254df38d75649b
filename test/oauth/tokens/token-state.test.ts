import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { Application, bodyOf, post, refusalIn, tokensOf } from "../support/application.ts";

const INACTIVE = { active: false };

test("introspection reports what a valid token is, and nothing of any other", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const first = await app.tokens(await the.signedIn(), { scopes: ["mcp:read"] });
  const ask = async (fields: Record<string, string>) =>
    await bodyOf(await post(the, "/api/oauth/introspect", fields));
  const now = Date.now() / 1_000;
  for (const [token, type, lifetime] of [
    [first.access, "Bearer", 3_600],
    [first.refresh, "refresh_token", 90 * 86_400],
  ] as const) {
    const { exp, iat, ...rest } = await ask({ token });
    assert.ok(Number.isInteger(iat) && Math.abs(Number(iat) - now) < 60);
    assert.ok(Math.abs(Number(exp) - Number(iat) - lifetime) <= 1);
    assert.deepEqual(rest, {
      active: true,
      scope: "mcp:read",
      client_id: app.clientId,
      token_type: type,
      sub: the.person.id,
      aud: `${the.authUrl}/mcp`,
      iss: the.authUrl,
      project_id: the.project.id,
    });
    assert.deepEqual(await ask({ token, client_id: "someone-else" }), INACTIVE);
    assert.equal((await ask({ token, client_id: app.clientId, token_type_hint: "nonsense" })).active, true);
  }
  const second = await tokensOf(await app.refresh(first.refresh));
  assert.deepEqual(await ask({ token: first.refresh }), INACTIVE);
  assert.equal(
    (await app.refresh(second.refresh)).status,
    200,
    "asking about a superseded token is no replay",
  );
  for (const token of ["x", `${first.access}0`, "lga_", "\u00e9"])
    assert.deepEqual(await ask({ token }), INACTIVE);
  assert.match(await refusalIn(await post(the, "/api/oauth/introspect", {})), /^400 invalid_request/);
});

test("introspection reports only those scopes that the person's role still allows, and no token that allows nothing", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const member = await the.newPerson("Bo");
  await the.join(member, the.project.id, "editor");
  const browser = await the.signedIn(member);
  const [both, writing] = [await app.tokens(browser), await app.tokens(browser, { scopes: ["mcp:write"] })];
  const ask = async (token: string) => await bodyOf(await post(the, "/api/oauth/introspect", { token }));
  const become = (role: string) =>
    the.sql("UPDATE membership SET role = $2 WHERE person_id = $1", [member.id, role]);
  for (const role of ["editor", "viewer", "admin"]) {
    await become(role);
    for (const token of [both.access, both.refresh]) {
      const { active, scope } = await ask(token);
      assert.deepEqual([active, scope], [true, role === "viewer" ? "mcp:read" : "mcp:read mcp:write"], role);
    }
    for (const token of [writing.access, writing.refresh]) {
      if (role === "viewer") assert.deepEqual(await ask(token), INACTIVE);
      else assert.equal((await ask(token)).scope, "mcp:write");
    }
  }
  await the.sql("DELETE FROM membership WHERE person_id = $1", [member.id]);
  for (const token of [both.access, both.refresh]) assert.deepEqual(await ask(token), INACTIVE);
});

test("an access token ends alone, a refresh token ends the authorization, a superseded one too", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const end = async (token: string) => {
    const answer = await post(the, "/api/oauth/revoke", { token, client_id: app.clientId });
    assert.equal(answer.status, 200);
    assert.deepEqual(await bodyOf(answer), {});
  };
  const first = await app.tokens(browser);
  const second = await tokensOf(await app.refresh(first.refresh));
  await end(second.access);
  assert.equal(await app.isActive(second.access), false);
  assert.ok(await app.isActive(first.access));
  assert.ok(await app.isActive(second.refresh));
  await end(first.refresh);
  assert.equal(await app.isActive(first.access), false);
  assert.equal(
    await refusalIn(await app.refresh(second.refresh)),
    "400 invalid_grant: The grant is not valid.",
  );
  assert.equal(await refusalIn(await app.refresh(first.refresh)), "400 invalid_grant: replay detected");
  for (const token of [first.refresh, "unknown", "lgr_x"]) await end(token);
  const code = await app.code(browser);
  await end(code.code);
  const other = await app.tokens(browser);
  await post(the, "/api/oauth/revoke", { token: other.access, client_id: "someone-else" });
  assert.ok(await app.isActive(other.access));
  assert.match(await refusalIn(await post(the, "/api/oauth/revoke", {})), /^400 invalid_request/);
  const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  assert.match(await refusalIn(await fetch(`${the.authUrl}/api/oauth/revoke`, json)), /^400 invalid_request/);
});

test("what happens to authorizations is written to the audit log", async () => {
  await using the = await world({ alone: true });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  await app.decide(browser, { decision: "deny" });
  const first = await app.tokens(browser);
  await app.refresh(first.refresh);
  await app.refresh(first.refresh);
  const second = await app.tokens(browser);
  await post(the, "/api/oauth/revoke", { token: second.access });
  await post(the, "/api/oauth/revoke", { token: second.refresh });
  const rows = await the.sql<{ action: string }>(
    "SELECT action FROM audit WHERE action ~ '^(client|authorization|code|refresh|token)\\.' ORDER BY id",
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    [
      "client.registered",
      "authorization.refused",
      "authorization.approved",
      "code.exchanged",
      "refresh.replayed",
      "authorization.approved",
      "code.exchanged",
      "token.revoked",
      "authorization.revoked",
    ],
  );
});
