import assert from "node:assert/strict";
import { test } from "node:test";
import { sweep } from "../../../src/domain/upkeep/sweep.ts";
import { world } from "../../world.ts";
import { Application, bodyOf, exchange, post, refusalIn, tokensOf } from "../support/application.ts";
import { setAhead } from "../support/clock.ts";

const PLAIN = "400 invalid_grant: The grant is not valid.";
const REPLAY = "400 invalid_grant: replay detected";

test("a superseded refresh token revokes the entire authorization, and the revocation is stored", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const bystander = await app.tokens(browser);
  const first = await app.tokens(browser);
  const second = await tokensOf(await app.refresh(first.refresh));
  const third = await tokensOf(await app.refresh(second.refresh));
  assert.equal(await refusalIn(await app.refresh(first.refresh)), REPLAY);
  for (const { access } of [first, second, third]) assert.equal(await app.isActive(access), false);
  assert.equal(await refusalIn(await app.refresh(third.refresh)), PLAIN);
  assert.equal(await refusalIn(await app.refresh(second.refresh)), REPLAY);
  assert.ok(await app.isActive(bystander.access), "another authorization of the same application goes on");
  const [row] = await the.sql<{ why: string }>(
    `SELECT revoked_why AS why FROM store."authorization" WHERE revoked_at IS NOT NULL`,
  );
  assert.equal(row?.why, "replay");
});

test("a superseded refresh token is a replay whatever else is wrong with the request", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  for (const more of [{ scope: "openid" }, { resource: "https://other.example/" }, { scope: "mcp:write" }]) {
    const first = await app.tokens(browser, { scopes: ["mcp:read"] });
    const second = await tokensOf(await app.refresh(first.refresh));
    assert.match(await refusalIn(await app.refresh(second.refresh, more)), /^400 invalid_(scope|target)/);
    assert.ok(await app.isActive(second.access), "the current token is only refused");
    assert.equal(await refusalIn(await app.refresh(first.refresh, more)), REPLAY);
    assert.equal(await app.isActive(second.access), false);
  }
});

test("of 20 parallel refreshes of one token at most one wins, and the chain is revoked afterwards", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  for (let round = 0; round < 3; round += 1) {
    const { access, refresh } = await app.tokens(browser);
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.refresh(refresh)));
    const won = answers.filter((answer) => answer.status === 200);
    assert.equal(won.length, 1);
    for (const lost of answers.filter((answer) => answer.status !== 200)) {
      assert.equal(await refusalIn(lost), REPLAY);
    }
    assert.equal(await app.isActive(access), false);
    for (const winner of won) {
      const tokens = await tokensOf(winner);
      assert.equal(await app.isActive(tokens.access), false);
      assert.equal(await refusalIn(await app.refresh(tokens.refresh)), PLAIN);
    }
  }
});

test("a forged refresh token, or a genuine one with another client, changes nothing", async () => {
  await using the = await world();
  const [app, other] = [await Application.register(the), await Application.register(the)];
  const first = await app.tokens(await the.signedIn());
  const second = await tokensOf(await app.refresh(first.refresh));
  const last = second.refresh.at(-1) === "0" ? "1" : "0";
  const forged = [
    second.refresh.slice(0, -1) + last,
    first.refresh.replace(/_1_/, "_2_"),
    second.access,
    "lgr_",
  ];
  for (const token of forged) assert.equal(await refusalIn(await app.refresh(token)), PLAIN);
  for (const token of [first.refresh, second.refresh]) {
    assert.equal(await refusalIn(await other.refresh(token)), PLAIN);
    const fields = { token, client_id: other.clientId };
    assert.equal((await post(the, "/api/oauth/revoke", fields)).status, 200);
  }
  assert.equal((await app.refresh(second.refresh)).status, 200);
});

test("a refresh token that the database has forgotten, as after a restored backup, ends its authorization", async () => {
  await using the = await world({ alone: true });
  const app = await Application.register(the);
  const first = await app.tokens(await the.signedIn());
  const [before] = await the.sql<{ hash: Buffer }>(`SELECT refresh_hash AS hash FROM store."authorization"`);
  const second = await tokensOf(await app.refresh(first.refresh));
  await the.sql(`UPDATE store."authorization" SET generation = 1, refresh_hash = $1`, [before?.hash]);
  assert.equal(await refusalIn(await app.refresh(second.refresh)), REPLAY);
  assert.equal(await refusalIn(await app.refresh(first.refresh)), PLAIN);
});

test("a refresh may narrow the access token's scope, never widen it, and the refresh token keeps all scopes", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const all = await app.tokens(browser);
  const narrowed = await bodyOf(await app.refresh(all.refresh, { scope: "mcp:read" }));
  assert.equal(narrowed.scope, "mcp:read");
  const whole = await bodyOf(await app.refresh(String(narrowed.refresh_token)));
  assert.equal(whole.scope, "mcp:read mcp:write");
  const less = await app.tokens(browser, { scopes: ["mcp:read"] });
  assert.match(
    await refusalIn(await app.refresh(less.refresh, { scope: "mcp:write" })),
    /^400 invalid_scope/,
  );
  assert.match(await refusalIn(await app.refresh(less.refresh, { scope: "email" })), /^400 invalid_scope/);
  assert.equal((await app.refresh(less.refresh)).status, 200, "a refused refresh left the token as it was");
});

test("tokens end by the database's clock, and when their person leaves the project", async () => {
  await using the = await world({ env: { LIFETIMES: JSON.stringify({ access: 1, refresh: 5 }) } });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const tokens = await app.tokens(browser);
  await setAhead(the, "1 second");
  assert.equal(await app.isActive(tokens.access), false);
  assert.ok(await app.isActive(tokens.refresh));
  await setAhead(the, "5 seconds");
  assert.equal(await refusalIn(await app.refresh(tokens.refresh)), PLAIN);
  const fresh = await app.tokens(browser);
  const unspent = await app.code(browser);
  await the.sql("DELETE FROM membership WHERE person_id = $1", [the.person.id]);
  assert.equal(await app.isActive(fresh.access), false);
  assert.equal(await refusalIn(await app.refresh(fresh.refresh)), PLAIN);
  assert.equal(await refusalIn(await exchange(the, unspent)), PLAIN);
});

test("storage does not grow with refreshes, and no secret is stored", async () => {
  await using the = await world({ env: { LIFETIMES: JSON.stringify({ access: 4 }) } });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const granted = await app.code(browser);
  let tokens = await tokensOf(await exchange(the, granted));
  const secrets = [granted.code, tokens.access, tokens.refresh];
  await setAhead(the, "4 seconds");
  for (let i = 0; i < 5; i += 1) {
    tokens = await tokensOf(await app.refresh(tokens.refresh));
    secrets.push(tokens.access, tokens.refresh);
  }
  await sweep(the.service);
  const [rows] = await the.sql<{ grants: number; access: number }>(
    `SELECT (SELECT count(*) FROM store."authorization")::int AS grants, (SELECT count(*) FROM store.access_token)::int AS access`,
  );
  assert.deepEqual(rows, { grants: 1, access: 5 });
  const tables = await the.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('leadgate', 'store')`,
  );
  const stored = await Promise.all(
    tables.map(({ name }) =>
      the.sql<{ all: string }>(`SELECT string_agg(t::text, ' ') AS all FROM ${name} t`),
    ),
  );
  const text = stored.map(([row]) => row?.all ?? "").join(" ");
  assert.ok(text.includes(app.clientId));
  for (const part of secrets.flatMap((secret) => secret.match(/[0-9a-f]{64}/g) ?? [])) {
    assert.ok(!text.includes(part), "a secret is stored");
  }
});
