import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { revokeKey } from "../../src/domain/api-keys/revoke-key.ts";
import { perform } from "../../src/domain/operation/operation.ts";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { addTrigger, heldUntilEnd } from "../citus/triggers.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { lockWaits } from "../lock-waits.ts";
import { slowWrites } from "../slow-writes.ts";
import { type World, world } from "../world.ts";
import { type Export, endedExport, fill, readExport, startedExport as start } from "./support/exports.ts";
import { bodyOf, refusalOf } from "./support/v1.ts";

const piecesOf = async (the: World): Promise<number> =>
  (await the.sql<{ n: number }>("SELECT count(*)::integer AS n FROM store.job_piece"))[0]?.n ?? 0;

test("an export is asked for, made by a worker, fetched as often as wanted, and listed", async () => {
  await using the = await world();
  const key = await the.key();
  await fill(the, 5_000);
  const body = {
    format: "ndjson",
    columns: ["id", "name"],
    filter: { field: "name", op: "neq", value: "n7" },
  };
  const begun = await start(key, body);
  assert.equal(begun.actor.id, key.id);
  assert.ok(begun.state === "waiting" && begun.expires_at === null);
  const done = await endedExport(key, begun.id);
  assert.deepEqual([done.state, done.done, done.total, done.error], ["done", 4_999, 4_999, null]);
  const part = await endedExport(key, (await start(key, { ...body, limit: 10, offset: 4_995 })).id);
  assert.deepEqual([part.state, part.done, part.total], ["done", 4, 4]);
  assert.match(done.expires_at ?? "", /\+00:00$/);
  const streamed = await key.send("POST", "/api/leads/export/", { project_id: the.project.id, ...body });
  const whole = await streamed.text();
  for (let time = 0; time < 2; time += 1) {
    const file = await key.send("GET", `/api/v1/exports/${begun.id}/file`);
    assert.equal(file.headers.get("content-disposition"), `attachment; filename="leads-${begun.id}.ndjson"`);
    assert.equal(file.headers.get("content-length"), String(done.bytes));
    assert.equal(await file.text(), whole);
  }
  const csv = await endedExport(key, (await start(key)).id);
  assert.deepEqual([csv.format, csv.done], ["csv", 5_000]);
  const empty = await endedExport(key, (await start(key, { search: "nobody", format: "json" })).id);
  assert.equal(await (await key.send("GET", `/api/v1/exports/${empty.id}/file`)).text(), "[]\n");
  const first = await bodyOf<{ exports: Export[]; next_cursor: string }>(
    await key.send("GET", "/api/v1/exports?limit=2"),
  );
  assert.deepEqual(
    first.exports.map(({ id }) => id),
    [empty.id, csv.id],
  );
  const next = `/api/v1/exports?limit=2&cursor=${first.next_cursor}`;
  const second = await bodyOf<{ exports: Export[]; next_cursor: null }>(await key.send("GET", next));
  assert.deepEqual([second.exports, second.next_cursor], [[part, done], null]);
  assert.equal((await refusalOf(await key.send("GET", "/api/v1/exports?cursor=x"))).code, "bad_cursor");
});

test("a file is available when it is complete: 409 before, 404 for other projects, 410 after seven days", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key();
  const stranger = await the.key(["leads:read"], (await the.newProject(the.person, "Other")).id);
  const { id } = await start(key);
  const file = `/api/v1/exports/${id}/file`;
  const early = await refusalOf(await key.send("GET", file));
  assert.deepEqual([early.status, early.code], [409, "not_done"]);
  const stop = keepWorking(the.service);
  await endedExport(key, id);
  for (const path of [file, `/api/v1/exports/${id}`]) {
    assert.equal((await refusalOf(await stranger.send("GET", path))).status, 404);
  }
  assert.equal((await stranger.send("POST", `/api/v1/exports/${id}/cancel`)).status, 404);
  assert.equal((await key.send("GET", "/api/v1/exports/exp_nope")).status, 404);
  assert.equal((await key.send("POST", `/api/v1/exports/${id}/cancel`)).status, 409);
  await the.sql("UPDATE store.job SET expires_at = now()");
  await sweep(the.service);
  const late = await refusalOf(await key.send("GET", file));
  assert.deepEqual([late.status, late.code], [410, "expired"]);
  assert.equal(await piecesOf(the), 1, "downloads that have begun may go on for an hour");
  await the.sql("UPDATE store.job SET expires_at = now() - interval '1 hour'");
  await sweep(the.service);
  assert.equal(await piecesOf(the), 0);
  await stop();
});

test("a file that fails before its first byte is refused without the headers of a file", async () => {
  await using the = await world({ alone: true });
  const key = await the.key();
  await fill(the, 10);
  const { id } = await endedExport(key, (await start(key)).id);
  await the.sql("DELETE FROM store.job_piece");
  const response = await key.send("GET", `/api/v1/exports/${id}/file`);
  assert.equal(response.headers.get("content-disposition"), null);
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
  const refused = await refusalOf(response);
  assert.deepEqual([refused.status, refused.code], [410, "expired"]);
});

test("an export is cancelled while it waits and while it runs, and leaves nothing behind", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key();
  await fill(the, 15_000);
  const waiting = await start(key);
  const cancel = async (id: string) =>
    await bodyOf<Export>(await key.send("POST", `/api/v1/exports/${id}/cancel`));
  assert.equal((await cancel(waiting.id)).state, "cancelled");
  const usual = await slowWrites(the, "job_piece");
  const stop = keepWorking(the.service);
  const running = await start(key);
  while ((await piecesOf(the)) === 0) await sleep(5);
  assert.equal((await cancel(running.id)).state, "cancelled");
  await usual();
  assert.equal((await cancel(running.id)).state, "cancelled", "twice is no error");
  const other = await endedExport(key, (await start(key, { columns: ["id"] })).id);
  assert.equal(other.state, "done");
  assert.equal((await readExport(key, running.id)).state, "cancelled");
  const left = await the.sql("SELECT FROM store.job_piece WHERE job_id <> $1", [other.id]);
  assert.equal(left.length, 0);
  const refused = await refusalOf(await key.send("GET", `/api/v1/exports/${running.id}/file`));
  assert.deepEqual([refused.status, refused.code], [409, "no_file"]);
  await stop();
});

test("an export whose key was revoked in the meantime fails, with that reason", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const [key, other] = [await the.key(), await the.key()];
  const { id } = await start(key);
  const manager = { personId: the.person.id, projectId: the.project.id };
  await perform(the.service, revokeKey, manager, { id: key.id });
  const stop = keepWorking(the.service);
  const failed = await endedExport(other, id);
  assert.equal(failed.state, "failed");
  assert.equal(failed.error?.code, "invalid_key");
  assert.equal(await piecesOf(the), 0);
  await stop();
});

test("a project has a maximum number of unfinished exports; errors are reported immediately", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key();
  const refused = await refusalOf(await key.send("POST", "/api/v1/exports", { columns: ["nope"] }));
  assert.deepEqual([refused.status, refused.paths], [400, ["$.columns[0]"]]);
  const answers: Response[] = [];
  for (let n = 0; n < 21; n += 1) answers.push(await key.send("POST", "/api/v1/exports", {}));
  assert.deepEqual([...new Set(answers.slice(0, 20).map(({ status }) => status))], [202]);
  const last = answers.at(-1);
  assert.equal(last?.status, 429);
  assert.match(last?.headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal((await (await the.key(["leads:write"])).send("POST", "/api/v1/exports", {})).status, 403);
});

test("all custom fields are exported, or some of them, but not both", async () => {
  await using the = await world();
  const key = await the.key();
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'plan', 'P', 'text'), ($1, 'size', 'S', 'text')",
    [the.project.id],
  );
  for (const some of [["custom.plan"], ["custom.plan", "custom.size"]]) {
    for (const columns of [
      ["custom", ...some],
      [...some, "id", "custom"],
    ]) {
      const asked = await key.send("POST", "/api/v1/exports", { format: "json", columns });
      const refused = await refusalOf(asked);
      assert.deepEqual([refused.status, refused.code, refused.paths], [400, "repeated", ["$.columns"]]);
    }
    await start(key, { format: "json", columns: ["id", ...some] });
  }
});

test("an export that fails halfway leaves no part of its file behind", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key();
  await fill(the, 3_000);
  const { id } = await start(key);
  await addTrigger(
    the,
    "refused",
    "BEFORE INSERT ON store.job_piece FOR EACH ROW WHEN (NEW.number = 2)",
    "RAISE 'no';",
  );
  await the.sql("UPDATE leadgate_worker._private_jobs SET attempts = max_attempts - 1");
  const stop = keepWorking(the.service);
  const failed = await endedExport(key, id);
  await stop();
  assert.deepEqual([failed.state, failed.error?.code], ["failed", "internal"]);
  assert.ok(failed.done > 0, "a part was there");
  assert.equal(await piecesOf(the), 0);
});

large(
  "an export survives kill -9 and stops of the processes that make it: its file is complete and exact",
  async () => {
    await using the = await world({ env: { ROLE: "api" } });
    const key = await the.key();
    await fill(the, 15_000);
    const usual = await slowWrites(the, "job_piece");
    const { id } = await start(key, { format: "csv", columns: ["id", "landing_page"] });
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      const child = await instance(the, "all");
      const since = await piecesOf(the);
      for (
        let tries = 0;
        tries < 3_000 && (await piecesOf(the)) === since && (await readExport(key, id)).state !== "done";
        tries += 1
      ) {
        await sleep(10);
      }
      const code = await child.end(signal);
      if (signal === "SIGTERM") assert.equal(code, 0);
      const { state } = await readExport(key, id);
      assert.ok(state === "running" || state === "waiting" || state === "done", state);
    }
    await usual();
    const child = await instance(the, "all");
    try {
      const done = await endedExport(key, id);
      assert.deepEqual([done.state, done.done], ["done", 15_000]);
      const text = await (await key.send("GET", `/api/v1/exports/${id}/file`)).text();
      const ids = text.trimEnd().split("\n").slice(1);
      assert.equal(ids.length, 15_000);
      assert.equal(new Set(ids).size, 15_000);
      const attempts = await the.sql<{ attempt: number }>("SELECT attempt FROM store.job");
      assert.ok((attempts[0]?.attempt ?? 0) >= 2, "it was begun again");
    } finally {
      await child.end("SIGTERM");
    }
  },
);

test("a worker that stops while an export waits for its first row ends it at once", async () => {
  await using the = await world({ env: { ROLE: "api" }, config: { exportPatienceMs: 3_600_000 } });
  const key = await the.key();
  const gate = await heldUntilEnd(
    the,
    "held",
    "AFTER UPDATE ON store.job FOR EACH ROW WHEN (NEW.total IS DISTINCT FROM OLD.total)",
  );
  const begun = await start(key);
  const stop = keepWorking(the.service);
  // The leads are counted: now they are locked, so that none of them is read.
  while ((await lockWaits(the, "UPDATE%job% SET total%")) === 0) await sleep(20);
  const holder = await the.service.db.pool.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE store.lead IN ACCESS EXCLUSIVE MODE");
  await gate.end();
  while ((await lockWaits(the, "COPY%")) === 0) await sleep(20);
  await stop();
  assert.equal((await readExport(key, begun.id)).state, "waiting");
  await holder.query("ROLLBACK");
  holder.release();
});

large("an export whose parts are stored slowly is not stopped before the time limit of jobs", async () => {
  await using the = await world({ env: { ROLE: "api" }, config: { exportPatienceMs: 400 } });
  const key = await the.key();
  await fill(the, 3_000);
  await slowWrites(the, "job_piece", 1);
  const { id } = await start(key);
  const stop = keepWorking(the.service);
  while ((await the.sql("SELECT FROM store.job WHERE state = 'done' OR attempt > 1")).length === 0)
    await sleep(20);
  await stop();
  assert.equal((await readExport(key, id)).state, "done");
});
