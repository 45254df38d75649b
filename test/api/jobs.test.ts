import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { revokeKey } from "../../src/domain/api-keys/revoke-key.ts";
import { perform } from "../../src/domain/operation/operation.ts";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { addTrigger } from "../citus/triggers.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { slowWrites } from "../slow-writes.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { bodyOf, refusalOf } from "./support/v1.ts";
import { writer } from "./support/writing.ts";

interface Job {
  id: string;
  kind: string;
  op: string;
  state: string;
  query: object | null;
  actor: { type: string; id: string };
  done: number;
  total: number;
  changed: number;
  unchanged: number;
  skipped: number;
  error: { code: string; message: string } | null;
}

const NEW = { field: "status", op: "eq", value: "new" };
const won = (count: number) => ({ op: "set", set: { status: "won" }, filter: NEW, expected_count: count });

const fill = (the: World, count: number) =>
  the.sql(
    `INSERT INTO store.lead (project_id, id, name)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i FROM generate_series(1, $2::integer) i`,
    [the.project.id, count],
  );

const start = async (key: KeyActor, body: object): Promise<Job> =>
  await bodyOf<Job>(await key.send("POST", "/api/v1/leads/bulk", body), 202);

const read = async (key: KeyActor, id: string): Promise<Job> =>
  await bodyOf<Job>(await key.send("GET", `/api/v1/jobs/${id}`));

async function until(key: KeyActor, id: string, enough: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await read(key, id);
    if (enough(job)) return job;
    await sleep(20);
  }
}

const ended = (key: KeyActor, id: string): Promise<Job> =>
  until(key, id, ({ state }) => state !== "waiting" && state !== "running");

const counts = ({ state, done, total, changed, unchanged, skipped }: Job) =>
  [state, done, total, changed, unchanged, skipped] as const;

/** Returns how many leads have each version and status, and how many events were recorded for it. */
async function written(
  the: World,
): Promise<{ won: number; versions: number[]; events: number; told: number }> {
  const [row] = await the.sql<{ won: number; versions: number[]; events: number; told: number }>(
    `SELECT count(*) FILTER (WHERE status = 'won')::integer AS won,
       array_agg(DISTINCT version ORDER BY version) AS versions,
       (SELECT count(*)::integer FROM store.event WHERE project_id = $1) AS events,
       (SELECT count(DISTINCT lead_id)::integer FROM store.event WHERE project_id = $1) AS told
     FROM store.lead WHERE project_id = $1`,
    [the.project.id],
  );
  if (row === undefined) throw new Error("no row");
  return row;
}

const left = async (the: World) => await the.sql("SELECT FROM store.job_piece");

large(
  "more leads than one transaction may hold are changed by a job: all that matched the filter, once each",
  async () => {
    await using the = await world({ alone: true });
    const key = await writer(the);
    await fill(the, 10_400);
    const miscounted = await refusalOf(await key.send("POST", "/api/v1/leads/bulk", won(10_401)));
    assert.deepEqual(
      [miscounted.status, miscounted.code, miscounted.paths],
      [409, "count_changed", ["$.expected_count"]],
    );
    assert.match(miscounted.message, /10400 leads, not 10401/);
    const few = await refusalOf(await key.send("POST", "/api/v1/leads/bulk", won(10)));
    assert.deepEqual([few.status, few.code], [409, "count_changed"]);
    const { expected_count: _, ...rehearsed } = won(0);
    const tried = await refusalOf(
      await key.send("POST", "/api/v1/leads/bulk", { ...rehearsed, dry_run: true }),
    );
    assert.deepEqual([tried.status, tried.code], [422, "too_many_leads"]);
    assert.deepEqual(await the.sql("SELECT FROM store.job"), [], "what is refused leaves no job");

    const response = await key.send("POST", "/api/v1/leads/bulk", won(10_400));
    const begun = await bodyOf<Job>(response, 202);
    assert.equal(response.headers.get("location"), `/api/v1/jobs/${begun.id}`);
    assert.match(begun.id, /^job_/);
    assert.deepEqual([begun.kind, begun.op, begun.total, begun.actor.id], ["bulk", "set", 10_400, key.id]);
    const done = await ended(key, begun.id);
    assert.deepEqual(counts(done), ["done", 10_400, 10_400, 10_400, 0, 0]);
    assert.deepEqual(await written(the), { won: 10_400, versions: [2], events: 10_400, told: 10_400 });
    assert.deepEqual(
      await the.sql("SELECT DISTINCT type, source, actor ->> 'id' AS actor, data FROM store.event"),
      [
        {
          type: "lead.updated",
          source: "api",
          actor: key.id,
          data: { field: "status", from: "new", to: "won" },
        },
      ],
    );
    assert.deepEqual(await left(the), []);
  },
);

test("leads that were deleted or are full by then are skipped, those that already match are unchanged", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await writer(the);
  await fill(the, 10_100);
  const full = Array.from({ length: 100 }, (_, i) => `t${i}`);
  const { id } = await start(key, { op: "tag_add", tags: ["hot"], filter: NEW, expected_count: 10_100 });
  await the.sql("UPDATE store.lead SET deleted_at = now() WHERE name IN ('n1', 'n5000')");
  await the.sql("UPDATE store.lead SET tags = '{hot}' WHERE name = 'n2'");
  await the.sql("UPDATE store.lead SET tags = $1 WHERE name = 'n3'", [full]);
  await the.sql("UPDATE store.lead SET status = 'lost' WHERE name = 'n4'");
  const stop = keepWorking(the.service);
  assert.deepEqual(counts(await ended(key, id)), ["done", 10_100, 10_100, 10_096, 1, 3]);
  const [hot] = await the.sql("SELECT count(*)::integer AS n FROM store.lead WHERE tags = '{hot}'");
  assert.deepEqual(hot, { n: 10_097 }, "who was meant was decided when it was asked for");
  await stop();
});

test("a cancelled job stops between two batches, and reports exactly how many leads it changed", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await writer(the);
  await fill(the, 12_500);
  const cancel = async (id: string) => await bodyOf<Job>(await key.send("POST", `/api/v1/jobs/${id}/cancel`));
  const waiting = await start(key, won(12_500));
  assert.deepEqual(counts(await cancel(waiting.id)), ["cancelled", 0, 12_500, 0, 0, 0]);
  const { id } = await start(key, won(12_500));
  const usual = await slowWrites(the, "lead");
  const stop = keepWorking(the.service);
  await until(key, id, ({ done }) => done > 0);
  const cancelled = await cancel(id);
  await usual();
  assert.equal(cancelled.state, "cancelled");
  assert.ok(cancelled.changed > 0 && cancelled.changed < 12_500 && cancelled.changed % 1_000 === 0);
  const other = await start(key, won(12_500 - cancelled.changed));
  assert.equal((await ended(key, other.id)).changed, 12_500 - cancelled.changed);
  assert.deepEqual(await written(the), { won: 12_500, versions: [2], events: 12_500, told: 12_500 });
  assert.deepEqual(await cancel(id), cancelled, "twice is no error, and nothing was changed after it");
  assert.equal((await refusalOf(await key.send("POST", `/api/v1/jobs/${other.id}/cancel`))).status, 409);
  assert.deepEqual(await left(the), []);
  await stop();
});

test("revoking a key stops its job before the next batch, with the reason and the counts", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const [key, other] = [await writer(the), await writer(the)];
  await fill(the, 12_000);
  const { id } = await start(key, won(12_000));
  await slowWrites(the, "lead");
  const stop = keepWorking(the.service);
  await until(other, id, ({ done }) => done > 0);
  const manager = { personId: the.person.id, projectId: the.project.id };
  await perform(the.service, revokeKey, manager, { id: key.id });
  const failed = await ended(other, id);
  assert.deepEqual([failed.state, failed.error?.code], ["failed", "invalid_key"]);
  assert.ok(failed.changed < 12_000 && failed.done === failed.changed);
  const found = await written(the);
  assert.deepEqual([found.won, found.events], [failed.changed, failed.changed]);
  assert.deepEqual(await left(the), []);
  await stop();
});

large(
  "kill -9 of the workers loses no lead and changes none twice; a worker serves only its operator",
  async () => {
    await using the = await world({ env: { ROLE: "api" } });
    const key = await writer(the);
    await fill(the, 10_500);
    const { id } = await start(key, won(10_500));
    let since = 0;
    for (const signal of ["SIGKILL", "SIGKILL", "SIGTERM"] as const) {
      const worker = await instance(the, "worker");
      const { done } = await until(key, id, (job) => job.done > since || job.state === "done");
      if (since === 0) {
        for (const path of ["/livez", "/readyz", "/metrics"])
          assert.equal((await fetch(worker.baseUrl + path)).status, 200, path);
        for (const path of ["/api/leads/query/", "/api/v1/jobs", "/openapi.json"])
          assert.equal((await fetch(worker.baseUrl + path)).status, 404, path);
        await assert.rejects(fetch(worker.authUrl), "it opens no other listener");
      }
      since = done;
      await worker.end(signal);
      // In one snapshot: the killed worker's last batch may be committed only now.
      const [seen] = await the.sql<{ won: number; changed: number }>(
        `SELECT (SELECT count(*)::integer FROM store.lead WHERE status = 'won') AS won,
         coalesce((result ->> 'changed')::integer, 0) AS changed FROM store.job WHERE id = $1`,
        [id],
      );
      assert.equal(seen?.won, seen?.changed, "the counts are those of what is stored");
    }
    const last = await instance(the, "worker");
    try {
      assert.deepEqual(counts(await ended(key, id)), ["done", 10_500, 10_500, 10_500, 0, 0]);
      assert.deepEqual(await written(the), { won: 10_500, versions: [2], events: 10_500, told: 10_500 });
    } finally {
      await last.end("SIGTERM");
    }
  },
);

test("jobs are listed to callers who may write, their filters to those who may read; other projects' jobs are not listed", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await writer(the);
  await fill(the, 10_001);
  const jobs = [await start(key, won(10_001)), await start(key, won(10_001)), await start(key, won(10_001))];
  const page = await bodyOf<{ jobs: Job[]; next_cursor: string }>(
    await key.send("GET", "/api/v1/jobs?limit=2"),
  );
  assert.deepEqual(page.jobs, [jobs[2], jobs[1]]);
  const next = `/api/v1/jobs?limit=2&cursor=${page.next_cursor}`;
  assert.deepEqual(await bodyOf(await key.send("GET", next)), { jobs: [jobs[0]], next_cursor: null });
  assert.deepEqual(jobs[0]?.query, { set: { status: "won" }, filter: NEW });
  const blind = await the.key(["leads:write"]);
  assert.equal((await read(blind, String(jobs[0]?.id))).query, null);
  assert.equal((await (await the.key()).send("GET", "/api/v1/jobs")).status, 403);
  const stranger = await writer(the, (await the.newProject(the.person, "Other")).id);
  for (const id of [jobs[0]?.id, "job_nope", `job_${"0".repeat(26)}`]) {
    assert.equal((await stranger.send("GET", `/api/v1/jobs/${id}`)).status, 404);
    assert.equal((await stranger.send("POST", `/api/v1/jobs/${id}/cancel`)).status, 404);
  }
  await the.sql(
    `INSERT INTO store.job (project_id, id, kind, input, actor, credential)
     SELECT $1, 'job_' || n, 'bulk', '{}', '{}', '{}' FROM generate_series(1, 17) n`,
    [the.project.id],
  );
  const over = await key.send("POST", "/api/v1/leads/bulk", won(10_001));
  assert.match(over.headers.get("retry-after") ?? "", /^\d+$/);
  assert.deepEqual([over.status, (await refusalOf(over)).code], [429, "too_many_jobs"]);
});

const beginLast = (the: World, more = "") =>
  the.sql(`UPDATE leadgate_worker._private_jobs SET attempts = max_attempts - 1 ${more}`);

test("a job ends as failed when its last run fails, and when its last run is killed", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key();
  const begin = async () =>
    await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", { columns: ["id"] }), 202);
  const failed = async (id: string) => {
    for (;;) {
      const body = await bodyOf<Job>(await key.send("GET", `/api/v1/exports/${id}`));
      if (body.state !== "waiting" && body.state !== "running") return [body.state, body.error?.code];
      await sleep(50);
    }
  };
  await addTrigger(the, "refused", "BEFORE INSERT ON store.job_piece FOR EACH ROW", "RAISE 'no';");
  const [first, second] = [await begin(), await begin()];
  await beginLast(the);
  await the.sql("UPDATE store.job SET state = 'running' WHERE id = $1", [second.id]);
  await the.sql(
    `UPDATE leadgate_worker._private_jobs SET attempts = max_attempts, locked_by = 'gone',
       locked_at = now() - interval '1 minute' WHERE key = $1`,
    [`${the.project.id}/${second.id}`],
  );
  const stop = keepWorking(the.service);
  assert.deepEqual(await failed(first.id), ["failed", "internal"]);
  assert.deepEqual(await failed(second.id), ["failed", "internal"]);
  while ((await the.sql("SELECT FROM leadgate_worker._private_jobs")).length > 0) await sleep(20);
  await stop();
});

test("a job without its entry in the queue, as a crash between the commits of two nodes leaves it, is run after the next sweep", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key();
  const { id } = await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/exports", { columns: ["id"] }),
    202,
  );
  const entries = () =>
    the.sql("SELECT key FROM leadgate_worker._private_jobs WHERE key LIKE '%/' || $1", [id]);
  await the.sql("DELETE FROM leadgate_worker._private_jobs");
  await sweep(the.service);
  assert.equal((await entries()).length, 1);
  await sweep(the.service);
  assert.equal((await entries()).length, 1);
  const stop = keepWorking(the.service);
  while ((await bodyOf<Job>(await key.send("GET", `/api/v1/exports/${id}`))).state !== "done")
    await sleep(50);
  await stop();
});
