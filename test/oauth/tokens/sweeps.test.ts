import assert from "node:assert/strict";
import { test } from "node:test";
import { SWEEP_LOCK, sweep } from "../../../src/domain/upkeep/sweep.ts";
import { earlier } from "../../citus/earlier.ts";
import { type World, world } from "../../world.ts";
import { Application, exchange, post, refusalIn, tokensOf } from "../support/application.ts";

const stored = async (the: World): Promise<Record<string, number> | undefined> => {
  const rows = await the.sql<Record<string, number>>(`SELECT
    (SELECT count(*) FROM store."authorization")::int AS grants,
    (SELECT count(*) FROM store.authorization_code)::int AS codes,
    (SELECT count(*) FROM store.access_token)::int AS access,
    (SELECT count(*) FROM client)::int AS clients, (SELECT count(*) FROM registration_calls)::int AS turns`);
  return rows[0];
};

/** Simulates the passing of time for the rows of this statement. */
const age = (the: World, table: string, column: string, by: string, where = "true") =>
  the.sql(`UPDATE ${table} SET ${column} = ${earlier(column, "$1::interval")} WHERE ${where}`, [by]);

test("the database keeps what can still be used, and no more", async () => {
  await using the = await world({ alone: true });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const [living, idle, revoked] = [
    await app.tokens(browser),
    await app.tokens(browser),
    await app.tokens(browser),
  ];
  await post(the, "/api/oauth/revoke", { token: revoked.refresh });
  const unspent = await app.code(browser);
  await sweep(the.service);
  assert.deepEqual(await stored(the), { grants: 3, codes: 4, access: 3, clients: 1, turns: 1 });

  await age(the, "store.authorization_code", "expires_at", "11 minutes");
  await age(the, "store.access_token", "expires_at", "61 minutes");
  const fresh = await tokensOf(await app.refresh(living.refresh));
  await sweep(the.service);
  assert.deepEqual(await stored(the), { grants: 3, codes: 4, access: 1, clients: 1, turns: 1 });
  assert.equal(await refusalIn(await exchange(the, unspent)), "400 invalid_grant: code expired");
  assert.ok(await app.isActive(fresh.access));

  await age(the, "store.authorization_code", "expires_at", "1 day");
  await age(the, 'store."authorization"', "refresh_expires_at", "90 days", "generation = 1");
  await sweep(the.service);
  assert.deepEqual(await stored(the), { grants: 1, codes: 0, access: 1, clients: 1, turns: 1 });
  assert.equal((await app.refresh(idle.refresh)).status, 400);
  assert.equal((await app.refresh(fresh.refresh)).status, 200);
});

test("an application without an authorization is deleted after 30 days, never one with a valid authorization", async () => {
  await using the = await world({ alone: true });
  const [used, unused, young] = [
    await Application.register(the),
    await Application.register(the),
    await Application.register(the),
  ];
  const { refresh } = await used.tokens(await the.signedIn());
  await age(the, "client", "created_at", "31 days", `id <> '${young.clientId}'`);
  await the.sql(
    "UPDATE registration_calls SET at = ARRAY(SELECT t - interval '3 hours' FROM unnest(at) AS t)",
  );
  await sweep(the.service);
  const { clients, turns } = (await stored(the)) ?? {};
  assert.deepEqual([clients, turns], [2, 0]);
  assert.equal((await used.refresh(refresh)).status, 200);
  assert.equal((await young.refresh(refresh)).status, 400);
  assert.match(await refusalIn(await unused.refresh(refresh)), /^401 invalid_client/);
  assert.match(await refusalIn(await unused.refresh("no token at all")), /^401 invalid_client/);
});

test("thousands of rows go in small statements, in every project", async () => {
  await using the = await world({ alone: true });
  const other = await the.newProject(the.person);
  const app = await Application.register(the);
  const browser = await the.signedIn();
  for (const projectId of [the.project.id, other.id]) {
    await app.tokens(browser, { projectId });
    await the.sql(
      `INSERT INTO store.access_token (project_id, hash, authorization_id, scopes, expires_at)
       SELECT project_id, sha256(n::text::bytea), id, scopes, moment() - interval '1 second'
       FROM store."authorization", generate_series(1, 2500) n WHERE project_id = $1`,
      [projectId],
    );
  }
  await the.sql(`INSERT INTO client (id, metadata, created_at)
    SELECT 'app_' || lpad(n::text, 26, '0'), '{}', moment() - interval '40 days' FROM generate_series(1, 2500) n`);
  assert.equal(await sweep(the.service), true);
  assert.deepEqual(await stored(the), { grants: 2, codes: 2, access: 2, clients: 1, turns: 1 });
});

test("one instance sweeps at a time", async () => {
  await using the = await world({ alone: true });
  await using second = await world({ env: { DATABASE_URL: the.databaseUrl } });
  await the.service.db.locks.alone(SWEEP_LOCK, async () => {
    assert.equal(await sweep(second.service), false);
  });
  assert.equal(await sweep(second.service), true);
  assert.equal(await sweep(the.service), true, "whoever is done lets go");
});
