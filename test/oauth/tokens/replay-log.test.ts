import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { entriesOf } from "../../accounts/support/log-entries.ts";
import { lockWaits } from "../../lock-waits.ts";
import { type World, world } from "../../world.ts";
import { Application, exchange, post, refusalIn, tokensOf } from "../support/application.ts";

const REPLAY = "400 invalid_grant: replay detected";
const USED = "400 invalid_grant: code already used";

const PROXIED = { TRUSTED_PROXIES: "127.0.0.1,::1" };

/** Calls the token endpoint from this address. */
const from = (the: World, address: string, fields: Record<string, string>) =>
  fetch(`${the.authUrl}/api/oauth/token`, {
    method: "POST",
    headers: { "X-Forwarded-For": address },
    body: new URLSearchParams(fields),
  });

const refreshing = (app: Application, token: string) => ({
  grant_type: "refresh_token",
  refresh_token: token,
  client_id: app.clientId,
});

test("30 replays of a dead token are one entry, which says how often, when and from where last", async () => {
  await using the = await world({ env: PROXIED });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const { refresh } = await app.tokens(browser);
  await app.refresh(refresh);
  for (let count = 1; count <= 30; count += 1) {
    const answer = await from(the, `198.51.100.${count}`, refreshing(app, refresh));
    assert.equal(await refusalIn(answer), REPLAY);
  }
  const [authorization] = await the.sql<{ id: string }>(`SELECT id FROM store."authorization"`);
  for (const path of ["/account/log", `/projects/${the.project.id}/settings/log`]) {
    const entries = await entriesOf(browser, path, "refresh.replayed");
    assert.equal(entries.length, 1, path);
    const [{ data, address, repeated, repeated_at, repeated_from, at } = assert.fail()] = entries;
    assert.deepEqual([data.authorization_id, address], [authorization?.id, "198.51.100.1"]);
    assert.deepEqual([repeated, repeated_from], [29, "198.51.100.30"]);
    assert.ok(Date.parse(repeated_at ?? "") > Date.parse(at));
    const english = await (await browser.get(path)).text();
    assert.match(english, /<small>and 29 times more, last at [^<]+ UTC, from 198\.51\.100\.30<\/small>/);
    assert.equal(english.match(/times more|once more/g)?.length, 1, "other entries have no counter");
    const portuguese = await (await browser.get(path, { "Accept-Language": "pt-BR" })).text();
    assert.match(portuguese, /<small>e mais 29 vezes, a última em [^<]+ UTC, de 198\.51\.100\.30<\/small>/);
    const csv = (await (await browser.get(`${path}.csv`)).text()).split("\r\n");
    assert.match(csv[0] ?? "", /,data,repeated,repeated_at,repeated_from$/);
    assert.match(csv.find((line) => line.includes("refresh.replayed")) ?? "", /,29,[^,]+,198\.51\.100\.30$/);
  }
});

test("replays that race on two instances are one entry for each authorization, and none of them is lost", async () => {
  await using the = await world();
  await using other = await world({ env: { DATABASE_URL: the.databaseUrl } });
  const app = await Application.register(the);
  const there = new Application(other, app.clientId);
  const browser = await the.signedIn();
  for (let round = 1; round <= 3; round += 1) {
    const { refresh } = await app.tokens(browser);
    await app.refresh(refresh);
    const all = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? app : there).refresh(refresh));
    for (const answer of await Promise.all(all)) assert.equal(await refusalIn(answer), REPLAY);
    const entries = await entriesOf(browser, "/account/log", "refresh.replayed");
    assert.deepEqual(
      entries.map(({ repeated }) => repeated),
      Array.from({ length: round }, () => 59),
    );
  }
});

test("a flood of one dead token leaves the service its connections, and every replay is counted", async () => {
  await using the = await world({ alone: true });
  const app = await Application.register(the);
  const { refresh, access } = await app.tokens(await the.signedIn());
  await app.refresh(refresh);
  assert.equal(await refusalIn(await app.refresh(refresh)), REPLAY);
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query(
      "SELECT FROM leadgate.audit WHERE project_id = $1 AND action = 'refresh.replayed' FOR UPDATE",
      [the.project.id],
    );
    let answered = 0;
    const flood = Array.from({ length: 40 }, async () => {
      const words = await refusalIn(await app.refresh(refresh));
      answered += 1;
      return words;
    });
    // A connection waits for the entry; more than there are would wait if every replay took one. Others may wait for a
    // moment for each other, since all replays count against the limit of one address.
    const waiting = () => lockWaits(the, "INSERT INTO %audit%");
    while ((await waiting()) === 0);
    assert.equal(await app.isActive(access), false);
    assert.equal((await the.browser().get("/sign-in")).status, 200);
    assert.equal(await waiting(), 1);
    assert.equal(answered, 0, "no replay is answered before it is counted");
    await holder.query("COMMIT");
    for (const words of await Promise.all(flood)) assert.equal(words, REPLAY);
  } finally {
    await holder.end();
  }
  const rows = await the.sql("SELECT repeated FROM audit WHERE action = 'refresh.replayed'");
  assert.deepEqual(rows, [{ repeated: 40 }]);
});

test("replays of an authorization that ended otherwise are one entry too", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const first = await app.tokens(browser);
  const second = await tokensOf(await app.refresh(first.refresh));
  await post(the, "/api/oauth/revoke", { token: second.refresh });
  for (let count = 0; count < 5; count += 1)
    assert.equal(await refusalIn(await app.refresh(first.refresh)), REPLAY);
  assert.equal((await app.refresh(second.refresh)).status, 400);
  const entries = await entriesOf(browser, "/account/log", "refresh.replayed");
  assert.deepEqual(
    entries.map(({ repeated }) => repeated),
    [4],
  );
});

test("a code that is used again names the authorization that it became, in one entry however often", async () => {
  await using the = await world();
  await using other = await world({ env: { DATABASE_URL: the.databaseUrl } });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  await app.tokens(browser);
  const granted = await app.code(browser);
  await exchange(the, granted);
  const [exchanged] = await entriesOf(browser, "/account/log", "code.exchanged");
  assert.equal(await refusalIn(await exchange(the, granted)), USED);
  const again = Array.from({ length: 20 }, (_, index) => exchange(index % 2 === 0 ? the : other, granted));
  for (const answer of await Promise.all(again)) assert.equal(await refusalIn(answer), USED);
  const entries = await entriesOf(browser, "/account/log", "code.reused");
  assert.deepEqual(
    entries.map(({ data, repeated }) => [data, repeated]),
    [[{ authorization_id: exchanged?.data.authorization_id }, 20]],
  );
  const later = await app.code(browser);
  await exchange(the, later);
  await exchange(the, later);
  assert.equal(
    (await entriesOf(browser, "/account/log", "code.reused")).length,
    2,
    "another code is another entry",
  );
});

test("a code that was exchanged before codes remembered their authorization is one entry as well", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const granted = await app.code(browser);
  await exchange(the, granted);
  await the.sql("UPDATE store.authorization_code SET authorization_id = NULL");
  for (let count = 0; count < 3; count += 1)
    assert.equal(await refusalIn(await exchange(the, granted)), USED);
  const entries = await entriesOf(browser, "/account/log", "code.reused");
  assert.deepEqual(
    entries.map(({ data, repeated }) => [data, repeated]),
    [[{}, 2]],
  );
});
