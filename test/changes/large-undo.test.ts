import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { bodyOf } from "../api/support/v1.ts";
import { refusalOf, writer } from "../api/support/writing.ts";
import { instance } from "../instance.ts";
import { slowWrites } from "../slow-writes.ts";
import { type KeyActor, type World, world } from "../world.ts";

const LEADS = 10_400;

interface UndoBody {
  change_id: string;
  state: string;
  job_id: string;
}

/** Leads that PostgreSQL knows nothing of. */
const fill = (the: World, projectId = the.project.id) =>
  the.sql(
    `INSERT INTO store.lead (project_id, id, name, city)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i, 'Natal' FROM generate_series(1, $2::integer) i`,
    [projectId, LEADS],
  );

/** Sets all leads to won by a job, and returns its change. */
async function setAll(key: KeyActor, set: object = { status: "won" }): Promise<string> {
  const filter = { field: "city", op: "eq", value: "Natal" };
  const body = { op: "set", set, filter, expected_count: LEADS };
  const answer = await key.send("POST", "/api/v1/leads/bulk", body);
  const { id, change_id: change } = await bodyOf<{ id: string; change_id: string }>(answer, 202);
  assert.equal(answer.headers.get("x-leadgate-change"), change);
  await ended(key, id);
  return change;
}

const undo = (key: KeyActor, change: string, body: object = {}): Promise<Response> =>
  key.send("POST", `/api/v1/changes/${change}/undo`, body);

/** Begins an undo that is a job. */
const begun = async (key: KeyActor, change: string, body: object = {}): Promise<UndoBody> =>
  await bodyOf<UndoBody>(await undo(key, change, body), 202);

interface Job {
  state: string;
  done: number;
  changed: number;
  skipped: number;
  opt_outs_kept: number;
}

async function until(key: KeyActor, id: string, enough: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await bodyOf<Job>(await key.send("GET", `/api/v1/jobs/${id}`));
    if (enough(job)) return job;
    await sleep(20);
  }
}

const ended = (key: KeyActor, id: string): Promise<Job> =>
  until(key, id, ({ state }) => state !== "waiting" && state !== "running");

const statuses = async (the: World) =>
  await the.sql(
    "SELECT status, count(*)::int AS leads FROM store.lead WHERE project_id = $1 GROUP BY status ORDER BY status",
    [the.project.id],
  );

test("a bulk change of more leads than one transaction may hold is undone by a job, but for what was changed since", async () => {
  await using the = await world();
  const key = await writer(the);
  await fill(the);
  const change = await setAll(key);
  const one = `lead_${"0".repeat(23)}1ab`;
  await (await key.send("PATCH", `/api/v1/leads/${one}`, { status: "lost" })).text();
  const answer = await undo(key, change);
  const undoing = await bodyOf<UndoBody>(answer, 202);
  assert.equal(answer.headers.get("x-leadgate-change"), undoing.change_id);
  const refused = await refusalOf(await undo(key, change));
  assert.deepEqual([refused.status, refused.code], [409, "already_undone"]);
  const job = await ended(key, undoing.job_id);
  assert.deepEqual([job.state, job.changed, job.skipped], ["done", LEADS - 1, 1]);
  assert.deepEqual(await statuses(the), [
    { status: "lost", leads: 1 },
    { status: "new", leads: LEADS - 1 },
  ]);
  const shown = await bodyOf<{ counts: object; records: { id: string; outcome: string }[] }>(
    await key.send("GET", `/api/v1/changes/${undoing.change_id}?limit=1`),
  );
  assert.deepEqual(shown.counts, { leads_updated: LEADS - 1, kept: 1 });
  assert.deepEqual([shown.records[0]?.id, shown.records[0]?.outcome], [one, "kept"]);
});

test("an undo by a job keeps opt-outs and counts them, and clears them if its call says so, also in a project that statistics do not know", async () => {
  await using the = await world();
  const key = await writer(the);
  await fill(the, (await the.newProject(the.person, "Known")).id);
  await the.sql("ANALYZE store.lead");
  await fill(the);
  const change = await setAll(key, { do_not_contact: true, status: "won" });
  const out = async () =>
    (await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND do_not_contact", [the.project.id]))
      .length;
  const keeping = await ended(key, (await begun(key, change)).job_id);
  assert.deepEqual([keeping.state, keeping.opt_outs_kept, await out()], ["done", LEADS, LEADS]);
  assert.deepEqual(await statuses(the), [{ status: "new", leads: LEADS }]);
  const clearing = await begun(key, change, { clear_opt_out: true });
  const { opt_outs_kept: kept, state } = await ended(key, clearing.job_id);
  assert.deepEqual([state, kept, await out()], ["done", 0, 0]);
});

// Slow: three workers are killed while they undo a change of thousands of leads.
test("kill -9 of the workers puts each lead back once; what is counted is what is stored", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await writer(the);
  await fill(the);
  const first = await instance(the, "worker");
  const change = await setAll(key);
  await first.end("SIGTERM");
  const undoing = await begun(key, change);
  const usual = await slowWrites(the, "lead", 0.05);
  let since = 0;
  for (const signal of ["SIGKILL", "SIGKILL"] as const) {
    const worker = await instance(the, "worker");
    const job = await until(key, undoing.job_id, ({ done }) => done > since);
    since = job.done;
    await worker.end(signal);
    const [seen] = await the.sql<{ back: number; counted: number }>(
      `SELECT (SELECT count(*)::int FROM store.lead WHERE status = 'new') AS back,
         coalesce((result ->> 'changed')::int, 0) AS counted FROM store.job WHERE id = $1`,
      [undoing.job_id],
    );
    assert.equal(seen?.back, seen?.counted, "the counts are those of what is stored");
  }
  await usual();
  const last = await instance(the, "worker");
  try {
    const job = await ended(key, undoing.job_id);
    assert.deepEqual([job.state, job.changed, job.skipped], ["done", LEADS, 0]);
    assert.deepEqual(await statuses(the), [{ status: "new", leads: LEADS }]);
    const [told] = await the.sql<{ events: number; leads: number }>(
      "SELECT count(*)::int AS events, count(DISTINCT lead_id)::int AS leads FROM store.event WHERE change_id = $1",
      [undoing.change_id],
    );
    assert.deepEqual(told, { events: LEADS, leads: LEADS });
  } finally {
    await last.end("SIGTERM");
  }
});

test("an undo that was cancelled can be continued by another one", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await writer(the);
  await fill(the);
  const stop = keepWorking(the.service);
  const change = await setAll(key);
  const usual = await slowWrites(the, "lead", 0.1);
  const undoing = await begun(key, change);
  await until(key, undoing.job_id, ({ done }) => done > 0);
  const cancelled = await bodyOf<Job>(await key.send("POST", `/api/v1/jobs/${undoing.job_id}/cancel`));
  await usual();
  const again = await begun(key, change);
  const job = await ended(key, again.job_id);
  await stop();
  assert.deepEqual([job.state, job.changed], ["done", LEADS - cancelled.changed]);
  assert.deepEqual(await statuses(the), [{ status: "new", leads: LEADS }]);
});

test("a large change is kept while a job undoes it, and not undone while a job makes it again; a dry run knows how many records there are", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await writer(the);
  await fill(the);
  const stop = keepWorking(the.service);
  const change = await setAll(key);
  await stop();
  const dry = await bodyOf<{ complete: boolean; total: number; counts: { put_back: number } }>(
    await undo(key, change, { dry_run: true }),
  );
  assert.equal(dry.total, LEADS);
  // A busy machine may not get to the end.
  assert.ok(dry.complete ? dry.counts.put_back === LEADS : dry.counts.put_back <= LEADS);
  const undoing = await begun(key, change);
  await the.sql("UPDATE store.change SET created_at = moment() - interval '40 days' WHERE id = $1", [change]);
  await sweep(the.service);
  const again = keepWorking(the.service);
  assert.equal((await ended(key, undoing.job_id)).changed, LEADS);
  await again();
  await the.sql("UPDATE store.change SET created_at = moment() WHERE id = $1", [change]);
  const redo = await begun(key, undoing.change_id);
  const shown = async () =>
    await bodyOf<{ reversible: boolean; irreversible: string | null }>(
      await key.send("GET", `/api/v1/changes/${change}?limit=1`),
    );
  assert.deepEqual([(await shown()).reversible, (await shown()).irreversible], [false, "running"]);
  const refused = await refusalOf(await undo(key, change));
  assert.deepEqual([refused.status, refused.code], [409, "still_running"]);
  const last = keepWorking(the.service);
  assert.equal((await ended(key, redo.job_id)).changed, LEADS);
  await last();
  assert.equal((await shown()).reversible, true);
  assert.deepEqual(await statuses(the), [{ status: "won", leads: LEADS }]);
});
