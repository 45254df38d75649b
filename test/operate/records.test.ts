import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { endedExport, startedExport } from "../api/support/exports.ts";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, refusalOf } from "../api/support/writing.ts";
import { acted, type ImportBody, sums, uploaded } from "../imports/support/uploading.ts";
import { Application, exchange, refusalIn, tokensOf } from "../oauth/support/application.ts";
import { type KeyActor, type World, world } from "../world.ts";

const YEAR = "365 days 1 minute";

/** Simulates the passing of time for rows. */
const age = (the: World, table: string, columns: readonly string[], by = YEAR, where = "true") =>
  the.sql(
    `UPDATE ${table} SET ${columns.map((each) => `${each} = ${each} - $1::interval`).join(", ")} WHERE ${where}`,
    [by],
  );

const ageImports = async (the: World, by = YEAR) => {
  await age(the, "store.import", ["created_at", "started_at", "finished_at", "expires_at"], by);
  await age(the, "store.job", ["created_at", "started_at", "finished_at", "expires_at"], by);
};

const importOf = (key: KeyActor, id: string) => key.send("GET", `/api/v1/imports/${id}`);

test("an import is kept for RECORD_DAYS, and as long as its change is; its leads stay", async () => {
  await using the = await world({ env: { RECORD_DAYS: "100" } });
  const key = await the.key(["leads:read", "leads:write"]);
  const { id } = await uploaded(the, key, "external_id,email\none,one@x.org\n");
  await acted(key, id, "commit");
  await ageImports(the, "99 days");
  await age(the, "store.change", ["created_at"], "99 days");
  await sweep(the.service);
  const kept = await bodyOf<ImportBody>(await importOf(key, id));
  assert.deepEqual([kept.state, ...sums(kept)], ["done", 1, 1, 0, 0, 0, 0]);
  await ageImports(the, "1 day 1 minute");
  const { id: young } = await uploaded(the, key, "external_id,email\ntwo,two@x.org\n");
  await acted(key, young, "commit");
  await sweep(the.service);
  assert.equal((await importOf(key, id)).status, 404);
  assert.equal((await importOf(key, young)).status, 200);
  const filter = { field: "import_id", op: "eq", value: id };
  const found = await bodyOf<{ leads: { external_id: string }[] }>(await key.query({ limit: 5, filter }));
  assert.deepEqual(
    found.leads.map((lead) => lead.external_id),
    ["one"],
  );
  assert.equal((await the.sql("SELECT FROM store.job")).length, 1, "the job of the young import");
});

test("an import whose change can still be undone is kept, however old it is", async () => {
  await using the = await world({ env: { RECORD_DAYS: "30", CHANGES: '{"keptDays":3650}' } });
  const key = await the.key(["leads:read", "leads:write"]);
  const { id } = await uploaded(the, key, "external_id,email\none,one@x.org\n");
  await acted(key, id, "commit");
  await ageImports(the);
  await sweep(the.service);
  assert.equal((await importOf(key, id)).status, 200);
});

test("a failed import says so until it is removed: its job goes after it", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  const { id } = await uploaded(the, key, "external_id,email\none,one@x.org\n");
  await acted(key, id, "commit");
  await the.sql("DELETE FROM store.change");
  await the.sql("UPDATE store.import SET state = 'running', finished_at = NULL");
  await the.sql("UPDATE store.job SET state = 'failed', finished_at = moment()");
  await age(the, "store.job", ["finished_at"]);
  await sweep(the.service);
  assert.equal((await bodyOf<ImportBody>(await importOf(key, id))).state, "failed");
  await ageImports(the);
  await sweep(the.service);
  assert.equal((await importOf(key, id)).status, 404);
  await sweep(the.service);
  assert.deepEqual(await the.sql("SELECT FROM store.job"), []);
});

test("an export is listed for RECORD_DAYS after its end, and one that has not ended stays", async () => {
  await using the = await world({ alone: true });
  const key = await the.key();
  const stop = keepWorking(the.service);
  const exports = async () =>
    (await bodyOf<{ exports: { id: string }[] }>(await key.send("GET", "/api/v1/exports"))).exports.length;
  await endedExport(key, (await startedExport(key, { format: "ndjson", columns: ["id"] })).id);
  await stop();
  const ageJobs = (by: string) => age(the, "store.job", ["created_at", "finished_at", "expires_at"], by);
  await ageJobs("364 days");
  await sweep(the.service);
  assert.equal(await exports(), 1);
  await ageJobs("1 day 1 minute");
  const copies = (state: string, ended: string, count: number) =>
    the.sql(
      `INSERT INTO store.job (project_id, id, kind, state, input, actor, credential, created_at, finished_at)
       SELECT project_id, $1 || n, kind, $1, input, actor, credential, created_at, ${ended}
       FROM store.job, generate_series(1, $2::integer) n WHERE id LIKE 'exp%'`,
      [state, count],
    );
  await copies("failed", "finished_at", 2_500);
  await copies("waiting", "NULL", 1);
  await sweep(the.service);
  assert.deepEqual(await the.sql("SELECT id FROM store.job"), [{ id: "waiting1" }]);
});

test("keys that do not work any more and invitations that expired are removed after RECORD_DAYS; a working key never", async () => {
  await using the = await world({ alone: true });
  const [working, revoked, lately] = [await the.key(), await the.key(), await the.key()];
  await age(the, "store.api_key", ["created_at"], "3000 days");
  await the.sql(`UPDATE store.api_key SET revoked_at = moment() - interval '${YEAR}' WHERE id = $1`, [
    revoked.id,
  ]);
  await the.sql("UPDATE store.api_key SET expires_at = moment() - interval '364 days' WHERE id = $1", [
    lately.id,
  ]);
  await the.sql(
    `INSERT INTO store.invitation (project_id, id, hash, email, role, invited_by, expires_at)
     SELECT $1, 'inv_' || days, sha256(days::text::bytea), 'x@example.org', 'viewer', $2, moment() - make_interval(days => days)
     FROM unnest(ARRAY[364, 366]) AS days`,
    [the.project.id, the.person.id],
  );
  await sweep(the.service);
  const keys = await the.sql<{ id: string }>("SELECT id FROM store.api_key ORDER BY id");
  assert.deepEqual(
    keys.map(({ id }) => id),
    [working.id, lately.id].toSorted(),
  );
  assert.equal((await working.query({ limit: 1 })).status, 200);
  assert.deepEqual(await the.sql("SELECT id FROM store.invitation"), [{ id: "inv_364" }]);
});

interface Feed {
  events: { id: string; type: string }[];
  next_cursor: string;
  feed_cursor: string;
}

test("lead.erased is in the feed for RECORD_DAYS; a reader that missed one later is told to start again", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "leads:erase"]);
  const feed = async (query: string) => await bodyOf<Feed>(await key.send("GET", `/api/v1/events?${query}`));
  const erase = async (name: string) => {
    const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name }), 201);
    assert.equal((await key.send("DELETE", `/api/v1/leads/${id}?erase=true`)).status, 204);
  };
  const start = (await feed("since=now")).next_cursor;
  const created = (await feed("since=now&types=lead.created")).next_cursor;
  await erase("one");
  const behind = (await feed(`cursor=${start}`)).next_cursor;
  await age(the, "store.tombstone", ["at"]);
  await erase("two");
  const types = async (cursor: string, more = "") =>
    (await feed(`cursor=${cursor}${more}`)).events.map(({ type }) => type);
  assert.deepEqual(await types(start), ["lead.erased", "lead.erased"]);
  await sweep(the.service);
  const { status, code } = await refusalOf(await key.send("GET", `/api/v1/events?cursor=${start}`));
  assert.deepEqual([status, code], [410, "cursor_expired"]);
  assert.deepEqual(await types(behind), ["lead.erased"]);
  assert.deepEqual(await types(created, "&types=lead.created"), []);
  assert.deepEqual(
    (await feed("")).events.map(({ type }) => type),
    ["lead.erased"],
  );
  const synced = await bodyOf<Feed>(await key.send("POST", "/api/v1/sync", {}));
  assert.deepEqual(await types(synced.feed_cursor), []);
});

test("an application is kept while an authorization is, and for RECORD_DAYS after its last approval", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const [used, over, again] = [
    await Application.register(the),
    await Application.register(the),
    await Application.register(the),
  ];
  const { refresh } = await used.tokens(browser);
  for (const app of [over, again]) await app.tokens(browser);
  await age(the, "client", ["created_at", "authorized_at"]);
  await again.code(browser);
  const ended = `client_id IN ('${over.clientId}', '${again.clientId}')`;
  await age(the, 'store."authorization"', ["refresh_expires_at"], "91 days", ended);
  await age(the, "store.access_token", ["expires_at"], "2 hours");
  await age(the, "store.authorization_code", ["expires_at"], "2 days", "consumed_at IS NOT NULL");
  await sweep(the.service);
  const clients = await the.sql<{ id: string }>("SELECT id FROM client ORDER BY id");
  assert.deepEqual(
    clients.map(({ id }) => id),
    [used.clientId, again.clientId].toSorted(),
  );
  const choices = await the.sql<{ id: string }>("SELECT client_id AS id FROM consent_choice ORDER BY 1");
  assert.deepEqual(choices, clients);
  assert.equal((await used.refresh(refresh)).status, 200);
  assert.match(await refusalIn(await over.refresh("no token")), /^401 invalid_client/);
  const { access } = await tokensOf(await exchange(the, await again.code(browser)));
  assert.ok(await again.isActive(access));
});

test("counters, failures and sessions that are over are removed to the last one, however many there are", async () => {
  await using the = await world();
  await the.sql("INSERT INTO limit_turn SELECT 'b' || n, 1, true FROM generate_series(1, 45000) n");
  await the.sql(
    "INSERT INTO recent_hit SELECT 'b' || n, moment() - interval '2 days' FROM generate_series(1, 6500) n",
  );
  await the.sql(
    "INSERT INTO reset_turn SELECT 'a' || n, moment() - interval '2 hours' FROM generate_series(1, 6500) n",
  );
  await the.sql(
    "INSERT INTO sign_in_failure SELECT 'b' || n, moment() - interval '1 hour' FROM generate_series(1, 6500) n",
  );
  await the.sql(
    `INSERT INTO session (hash, id, person_id, expires_at)
     SELECT sha256(n::text::bytea), 'ses_' || n, $1, moment() - interval '1 minute' FROM generate_series(1, 6500) n`,
    [the.person.id],
  );
  await sweep(the.service);
  for (const table of [
    "limit_turn WHERE bucket LIKE 'b%'",
    "recent_hit",
    "reset_turn",
    "sign_in_failure",
    "session",
  ])
    assert.deepEqual(await the.sql(`SELECT FROM ${table}`), [], table);
});

/** Sweeps in a process of its own, as an instance does. */
const SWEEP = `import { readConfig } from "./src/config/config.ts";
  import { openService } from "./src/server/start.ts";
  import { sweep } from "./src/domain/upkeep/sweep.ts";
  const { service } = await openService(readConfig());
  while (true) await sweep(service);`;

test("a sweep whose process is killed in between is continued by the next one", async () => {
  await using the = await world({ alone: true });
  await the.sql(
    `INSERT INTO store.tombstone (project_id, id, lead_id, type, source, actor, at)
     SELECT $1, 'evt_' || n, 'lead_' || n, 'lead.erased', 'api', '{}', moment() - interval '400 days'
     FROM generate_series(1, 60000) n`,
    [the.project.id],
  );
  const left = async () =>
    (await the.sql<{ n: number }>("SELECT count(*)::integer AS n FROM store.tombstone"))[0]?.n ?? 0;
  const child = spawn(process.execPath, ["--input-type=module", "-e", SWEEP], {
    env: { PATH: process.env.PATH, ...the.env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const gone = once(child, "exit");
  while ((await left()) === 60_000) assert.equal(child.exitCode, null);
  child.kill("SIGKILL");
  await gone;
  // PostgreSQL notices the end of the process, and with it frees the lock of its sweep.
  while (!(await sweep(the.service)));
  assert.equal(await left(), 0);
});

test("a RECORD_DAYS that makes no sense stops the start with a message that says what to write", () => {
  assert.equal(readConfig({ RECORD_DAYS: "30" }).recordDays, 30);
  for (const none of [{}, { RECORD_DAYS: "" }]) assert.equal(readConfig(none).recordDays, 365);
  for (const RECORD_DAYS of ["0", "29", "-1", "45.5", "ninety", "90d", " 90", "100000"])
    assert.throws(
      () => readConfig({ RECORD_DAYS }),
      /^Error: RECORD_DAYS is ".*"; it must be a whole number of days from 30 to 99999\. Leave it out to keep them for 365 days\./,
    );
});
