import assert from "node:assert/strict";
import { test } from "node:test";
import { type World, world } from "../../world.ts";
import { Application, exchange, type Granted, post, refusalIn, tokensOf } from "../support/application.ts";

const REPLAY = "400 invalid_grant: replay detected";

/** Starts another instance of the service on the same database. */
const beside = (the: World) => world({ env: { DATABASE_URL: the.databaseUrl } });

/** Returns the number of responses by status and reason. */
async function counted(answers: Response[]): Promise<Record<string, number>> {
  const words = await Promise.all(answers.map((each) => (each.status === 200 ? "200" : refusalIn(each))));
  const groups = Map.groupBy(words, (word) => word);
  return Object.fromEntries([...groups].map(([word, { length }]) => [word, length]));
}

test("of 50 exchanges of one code on two instances exactly one wins, the others hear that it was used", async () => {
  await using the = await world();
  await using other = await beside(the);
  const app = await Application.register(the);
  const browser = await the.signedIn();
  for (let round = 0; round < 3; round += 1) {
    const granted: Granted = await app.code(browser);
    const all = Array.from({ length: 50 }, (_, index) => exchange(index % 2 === 0 ? the : other, granted));
    assert.deepEqual(await counted(await Promise.all(all)), {
      "200": 1,
      "400 invalid_grant: code already used": 49,
    });
  }
});

test("of 20 refreshes of one token on two instances one wins, and no token of the chain stays valid", async () => {
  await using the = await world({ alone: true });
  await using other = await beside(the);
  const app = await Application.register(the);
  const there = new Application(other, app.clientId);
  const browser = await the.signedIn();
  for (let round = 0; round < 3; round += 1) {
    const { access, refresh } = await app.tokens(browser);
    const all = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? app : there).refresh(refresh));
    const answers = await Promise.all(all);
    const won = answers.find(({ status }) => status === 200)?.clone();
    assert.deepEqual(await counted(answers), { "200": 1, [REPLAY]: 19 });
    const next = won === undefined ? undefined : await tokensOf(won);
    assert.equal((await app.refresh(next?.refresh ?? "")).status, 400);
    for (const each of [access, next?.access ?? ""]) assert.equal(await there.isActive(each), false);
  }
  const rows = await the.sql("SELECT repeated FROM audit WHERE action = 'refresh.replayed'");
  assert.deepEqual(rows, [{ repeated: 18 }, { repeated: 18 }, { repeated: 18 }]);
});

test("a request that starts after a revocation was answered is refused, on the other instance too", async () => {
  await using the = await world();
  await using other = await beside(the);
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const call = async (host: World, token: string) =>
    (await fetch(`${host.authUrl}/mcp`, { headers: { Authorization: `Bearer ${token}` } })).status;
  for (let round = 0; round < 20; round += 1) {
    const { access, refresh } = await app.tokens(browser);
    assert.equal(await call(other, access), 200);
    await post(the, "/api/oauth/revoke", { token: round % 2 === 0 ? access : refresh });
    assert.equal(await call(other, access), 401);
  }
});

test("a superseded refresh token is a replay to an instance that started later too", async () => {
  await using the = await world();
  const first = await beside(the);
  const app = await Application.register(the);
  const tokens = await app.tokens(await the.signedIn());
  const next = await tokensOf(await new Application(first, app.clientId).refresh(tokens.refresh));
  await first[Symbol.asyncDispose]();
  await using again = await beside(the);
  const there = new Application(again, app.clientId);
  assert.equal(await refusalIn(await there.refresh(tokens.refresh)), REPLAY);
  assert.equal(await there.isActive(next.access), false);
});
