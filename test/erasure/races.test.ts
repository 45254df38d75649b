import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { endedExport } from "../api/support/exports.ts";
import { bodyOf, refusalOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { ended, type ImportBody, uploaded } from "../imports/support/uploading.ts";
import { instance } from "../instance.ts";
import { lockWaits } from "../lock-waits.ts";
import { slowWrites } from "../slow-writes.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { erasePerson, eraser, tablesWith } from "./support/erasing.ts";

const EMAIL = "ana.race@example.org";

const made = async (key: KeyActor, lead: object) =>
  (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;

const erase = (key: KeyActor, id: string) => key.send("DELETE", `/api/v1/leads/${id}?erase=true`);

/** Waits until a query of the database has a row. */
async function until(the: World, text: string): Promise<void> {
  while ((await the.sql(text)).length === 0) await sleep(10);
}

test("an export that is being written while a lead is erased does not have the lead in its file", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, landing_page, created_at)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i, repeat(md5(i::text), 60), now() - i * interval '1 s'
     FROM generate_series(1, 5000) i`,
    [the.project.id],
  );
  const id = await made(key, { name: "Secret person" });
  const usual = await slowWrites(the, "job_piece");
  const stop = keepWorking(the.service);
  const body = { format: "csv", columns: ["name", "landing_page"] };
  const begun = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", body), 202);
  await until(the, "SELECT FROM store.job_piece");
  assert.equal((await erase(key, id)).status, 204);
  await usual();
  const done = await endedExport(key, begun.id);
  assert.deepEqual([done.state, done.done], ["done", 5_000]);
  const file = await (await key.send("GET", `/api/v1/exports/${begun.id}/file`)).text();
  assert.doesNotMatch(file, /Secret person/);
  assert.equal(file.trimEnd().split("\n").length, 5_001);
  assert.deepEqual(await tablesWith(the, "Secret person"), []);
  await stop();
});

test("while an import with the person waits or runs, erasing is 409 and names it; cancelled, it never brings the person back", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const id = await made(key, { name: "Ana", email: EMAIL });
  const other = await uploaded(the, key, "email\nbo@example.org\n");
  const mine = await uploaded(the, key, `email\n${EMAIL}\n`);
  for (const each of [other, mine])
    await bodyOf(await key.send("POST", `/api/v1/imports/${each.id}/commit`), 202);
  const answers = [
    await erase(key, id),
    await key.send("POST", "/api/v1/people/erase", { email: EMAIL, expected_leads: 1 }),
  ];
  for (const answer of answers) {
    const { error } = (await answer.json()) as { error: { code: string; details: { message: string }[] } };
    assert.deepEqual([answer.status, error.code], [409, "import_running"]);
    assert.deepEqual(
      error.details.map(({ message }) => message),
      [mine.id],
    );
  }
  assert.equal((await key.send("GET", `/api/v1/leads/${id}`)).status, 200, "nothing was erased");
  await bodyOf(await key.send("POST", `/api/v1/imports/${mine.id}/cancel`));
  await erasePerson(key, { email: EMAIL, expected_leads: 1 });
  const again = await refusalOf(await key.send("POST", `/api/v1/imports/${mine.id}/commit`));
  assert.deepEqual([again.status, again.code], [410, "erased"]);
  const stop = keepWorking(the.service);
  assert.equal((await ended(key, other.id)).created, 1, "an import without the person is not disturbed");
  assert.deepEqual(await tablesWith(the, EMAIL), []);
  await stop();
});

test("a file that is being uploaded is waited for: 409, and erasing afterwards finds the person in it", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  let more: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      more = controller;
      controller.enqueue(new TextEncoder().encode(`email\n${EMAIL}\n`));
    },
  });
  const sending = fetch(`${the.baseUrl}/api/v1/imports`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "text/csv" },
    body,
    duplex: "half",
  } as RequestInit);
  await until(the, "SELECT FROM store.import WHERE state = 'uploading'");
  const early = await key.send("POST", "/api/v1/people/erase", { email: EMAIL, expected_leads: 0 });
  const told = await early.text();
  assert.deepEqual(
    [early.status, (JSON.parse(told) as { error: { code: string } }).error.code],
    [409, "import_running"],
  );
  assert.match(told, /is being uploaded/);
  assert.doesNotMatch(told, /cancel/, "an upload cannot be cancelled");
  more?.close();
  const { id } = await bodyOf<ImportBody>(await sending, 201);
  const { erased } = await erasePerson(key, { email: EMAIL, expected_leads: 0 });
  assert.equal(erased.imports, 1);
  assert.equal((await key.send("POST", `/api/v1/imports/${id}/commit`)).status, 410);
  assert.deepEqual(await tablesWith(the, EMAIL), []);
});

test("of two erasures at once one erases and the other is told that nothing is left", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  for (let n = 0; n < 3; n += 1) await made(key, { name: `n${n}`, email: EMAIL });
  const body = { email: EMAIL, expected_leads: 3 };
  const answers = await Promise.all([1, 2, 3].map(() => key.send("POST", "/api/v1/people/erase", body)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  assert.equal((await the.sql("SELECT FROM store.tombstone")).length, 3);
  assert.equal((await the.sql("SELECT FROM audit WHERE action = 'person.erased'")).length, 1);
  const id = await made(key, { name: "one", email: EMAIL });
  const twice = await Promise.all([erase(key, id), erase(key, id)]);
  assert.deepEqual(twice.map(({ status }) => status).sort(), [204, 404]);
});

test("a lead that is written while it is erased is either gone or a new one; the feed says which", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const upsert = () =>
    key.send("PUT", "/api/v1/leads/upsert", {
      match_on: ["email"],
      lead: { email: EMAIL, name: `${Math.random()}` },
    });
  for (let round = 0; round < 12; round += 1) {
    const { id } = await bodyOf<{ id: string }>(await upsert(), round === 0 ? 201 : 200).catch(async () =>
      bodyOf<{ id: string }>(await upsert()),
    );
    const answers = await Promise.all([
      ...[upsert(), erase(key, id), key.send("PATCH", `/api/v1/leads/${id}`, { name: "patched" })],
      ...[key.send("POST", `/api/v1/leads/${id}/events`, { type: "call.made" }), upsert()],
    ]);
    for (const { status } of answers) assert.ok([200, 201, 204, 404].includes(status), String(status));
  }
  const stored = await the.sql<{ id: string }>("SELECT id FROM store.lead ORDER BY id");
  const { events } = await bodyOf<{ events: { type: string; lead_id: string }[] }>(
    await key.send("GET", "/api/v1/events?limit=500"),
  );
  const erased = new Set(events.filter(({ type }) => type === "lead.erased").map(({ lead_id }) => lead_id));
  const told = new Set(events.map(({ lead_id }) => lead_id).filter((id) => !erased.has(id)));
  assert.deepEqual(
    stored.map(({ id }) => id),
    [...told].sort(),
  );
  assert.equal(erased.size, 12);
});

test("an erasure that is killed midway has erased nothing, and can be repeated", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const id = await made(key, { name: "Ana", email: EMAIL });
  const begun = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", {}), 202);
  await the.sql("UPDATE store.job SET state = 'done'");
  const child = await instance(the, "all");
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM store.job WHERE project_id = $1 AND id = $2 FOR UPDATE", [
    the.project.id,
    begun.id,
  ]);
  const cut = fetch(`${child.baseUrl}/api/v1/leads/${id}?erase=true`, {
    method: "DELETE",
    headers: { Authorization: `Bearer ${key.text}` },
  }).then(
    ({ status }) => status,
    () => "cut",
  );
  while ((await lockWaits(the, "%restarts%")) === 0) await sleep(10);
  await child.end("SIGKILL");
  assert.equal(await cut, "cut");
  await holder.query("ROLLBACK");
  await holder.end();
  assert.equal((await key.send("GET", `/api/v1/leads/${id}`)).status, 200);
  assert.deepEqual(await the.sql("SELECT FROM store.tombstone"), []);
  assert.equal((await erase(key, id)).status, 204);
  assert.deepEqual(await tablesWith(the, EMAIL), []);
});

test("what a person is given while an erasure has already searched the files is searched for, too", async () => {
  await using the = await world();
  const key = await eraser(the);
  const id = await made(key, { name: "Ana", email: EMAIL });
  const added = "ana.added@example.org";
  const kept = await uploaded(the, key, `email\n${added}\n`);
  const other = await uploaded(the, key, "email\nbo@example.org\n");
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("UPDATE store.lead SET emails = ARRAY[$3] WHERE project_id = $1 AND id = $2", [
    the.project.id,
    id,
    added,
  ]);
  const erased = erase(key, id);
  while ((await lockWaits(the, "%FOR UPDATE%")) === 0) await sleep(10);
  await holder.query("COMMIT");
  await holder.end();
  assert.equal((await erased).status, 204);
  const again = await refusalOf(await key.send("POST", `/api/v1/imports/${kept.id}/commit`));
  assert.deepEqual([again.status, again.code], [410, "erased"]);
  assert.deepEqual(await tablesWith(the, added), []);
  assert.equal(
    (await bodyOf<ImportBody>(await key.send("GET", `/api/v1/imports/${other.id}`))).state,
    "ready",
  );
});

test("a deleted view that is put back while its person is erased does not name the person", async () => {
  await using the = await world();
  const key = await eraser(the);
  await made(key, { name: "Ana", email: EMAIL });
  const query = { filter: { field: "email", op: "eq", value: EMAIL } };
  const view = await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/views", { name: "Ana", query }),
    201,
  );
  const deleted = await key.send("DELETE", `/api/v1/views/${view.id}`);
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7237004))", [the.project.id]);
  const waiting = (count: number) =>
    until(the, `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted HAVING count(*) = ${count}`);
  const erasing = erasePerson(key, { email: EMAIL, expected_leads: 1 });
  await waiting(1);
  const change = deleted.headers.get("x-leadgate-change");
  const undoing = key.send("POST", `/api/v1/changes/${change}/undo`, {});
  await waiting(2);
  await holder.query("COMMIT");
  await holder.end();
  await erasing;
  await bodyOf(await undoing);
  await bodyOf(await key.send("GET", `/api/v1/views/${view.id}`));
  assert.deepEqual(await tablesWith(the, EMAIL), []);
});
