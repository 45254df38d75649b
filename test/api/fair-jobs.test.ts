import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { WORKER_SCHEMA } from "../../src/db/worker-schema.ts";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { orderQueue } from "../../src/domain/upkeep/queue-order.ts";
import { acted, ended as endedImport, uploaded } from "../imports/support/uploading.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { slowWrites } from "../slow-writes.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { endedExport, fill, startedExport } from "./support/exports.ts";
import { type HeldExports, heldExports } from "./support/held-exports.ts";
import { bodyOf } from "./support/v1.ts";

const QUEUE = `${WORKER_SCHEMA}._private_jobs`;

/** A project and a key that may do everything jobs do. */
interface Tenant {
  projectId: string;
  key: KeyActor;
}

async function tenant(the: World, name: string): Promise<Tenant> {
  const { id: projectId } = await the.newProject(the.person, name);
  return { projectId, key: await the.key(["leads:read", "leads:write", "schema:write"], projectId) };
}

/** The states of a tenant's jobs that were not cancelled. */
const statesOf = async (the: World, { projectId }: Tenant): Promise<string[]> => {
  const rows = await the.sql<{ state: string }>(
    "SELECT state FROM store.job WHERE project_id = $1 AND state <> 'cancelled' ORDER BY created_at",
    [projectId],
  );
  return rows.map(({ state }) => state);
};

const running = async (the: World, of: Tenant): Promise<number> =>
  (await statesOf(the, of)).filter((state) => state === "running").length;

async function untilAllDone(the: World, ...tenants: Tenant[]): Promise<void> {
  for (const each of tenants) {
    while ((await statesOf(the, each)).some((state) => state !== "done")) await sleep(30);
  }
}

/** Starts exports of a tenant; returns their ids. */
async function exportsOf({ key }: Tenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await startedExport(key)).id);
  return ids;
}

/** Checks that exactly these exports have begun and not ended, once both slots are taken. */
async function assertBegun(held: HeldExports, ...expected: (string | undefined)[]): Promise<void> {
  let begun: string[] = [];
  while (begun.length < expected.length) {
    await sleep(10);
    begun = await held.begun();
  }
  assert.deepEqual(begun.toSorted(), expected.toSorted());
}

large("the first job of each project begins before the second of one that has many", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const tenants = [await tenant(the, "Many"), await tenant(the, "One"), await tenant(the, "Another")];
  const [many, one, another] = tenants as [Tenant, Tenant, Tenant];
  const [a0, a1] = await exportsOf(many, 20);
  const [b0] = (await exportsOf(one, 1)) as [string];
  const [c0] = (await exportsOf(another, 1)) as [string];
  await using held = await heldExports(the);
  const stop = keepWorking(the.service);
  await assertBegun(held, a0, b0);
  await held.release(b0);
  await assertBegun(held, a0, c0);
  await held.release(c0);
  await assertBegun(held, a0, a1);
  await held.releaseAll();
  await untilAllDone(the, ...tenants);
  await stop();
});

large("cancelled exports take no turn of their project", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const tenants = [await tenant(the, "Cancels"), await tenant(the, "Other")];
  const [cancels, other] = tenants as [Tenant, Tenant];
  for (const id of await exportsOf(cancels, 20)) {
    assert.equal((await cancels.key.send("POST", `/api/v1/exports/${id}/cancel`)).status, 200);
  }
  const [b0] = await exportsOf(other, 3);
  const [a20] = await exportsOf(cancels, 1);
  await using held = await heldExports(the);
  const stop = keepWorking(the.service);
  await assertBegun(held, a20, b0);
  await held.releaseAll();
  await untilAllDone(the, ...tenants);
  await stop();
});

large("projects with many jobs take turns", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const tenants = [await tenant(the, "A"), await tenant(the, "B"), await tenant(the, "C")];
  const jobs: string[][] = [];
  for (const each of tenants) jobs.push(await exportsOf(each, 4));
  const turns = [0, 1, 2, 3].flatMap((round) => jobs.map((own) => own[round] as string));
  await using held = await heldExports(the);
  const stop = keepWorking(the.service);
  for (let n = 0; n + 1 < turns.length; n += 1) {
    await assertBegun(held, turns[n], turns[n + 1]);
    await held.release(turns[n] as string);
  }
  await held.releaseAll();
  await untilAllDone(the, ...tenants);
  await stop();
});

large("a job that has ended takes no turn of its project while its entry leaves the queue", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const [a, b] = [await tenant(the, "A"), await tenant(the, "B")];
  const [a0, a1] = (await exportsOf(a, 2)) as [string, string];
  const [b0, b1] = (await exportsOf(b, 2)) as [string, string];
  await the.sql(`UPDATE ${QUEUE} SET locked_at = now(), locked_by = 'a worker' WHERE key LIKE ANY ($1)`, [
    [a0, b0].map((id) => `%/${id}`),
  ]);
  const end = async ({ projectId }: Tenant, id: string) => {
    await the.sql("UPDATE store.job SET state = 'done' WHERE id = $1", [id]);
    const [entry] = await the.sql<{ id: string }>(`SELECT id FROM ${QUEUE} WHERE key LIKE '%/' || $1`, [id]);
    await orderQueue(the.service.db, { id: entry?.id ?? "", projectId });
  };
  await end(a, a0);
  await end(b, b0);
  const waiting = await the.sql<{ id: string }>(
    `SELECT split_part(key, '/', 2) AS id FROM ${QUEUE} WHERE locked_at IS NULL ORDER BY priority, run_at`,
  );
  assert.deepEqual(
    waiting.map(({ id }) => id),
    [a1, b1],
  );
});

/** What a project does with both slots, and how it is known that it was done exactly once. */
interface Work {
  /** Which table is written slowly, by how many seconds a statement, so that the work is still running. */
  slow: [table: string, seconds: number];
  prepare?(the: World, of: Tenant): Promise<void>;
  start(of: Tenant): Promise<string[]>;
  check(of: Tenant, ids: string[]): Promise<void>;
}

const csv = (name: string) =>
  `email,name\n${Array.from({ length: 6_000 }, (_, i) => `${name}${i}@example.org,${name} ${i}`).join("\n")}\n`;

const imported = async (the: World, { key }: Tenant) => [
  (await uploaded(the, key, csv("ana"))).id,
  (await uploaded(the, key, csv("rui"))).id,
];

async function begin({ key }: Tenant, ids: readonly string[], act: string): Promise<void> {
  for (const id of ids) await bodyOf(await key.send("POST", `/api/v1/imports/${id}/${act}`), 202);
}

let files: string[] = [];

const WORKS: Record<string, Work> = {
  exports: {
    slow: ["job_piece", 1],
    prepare: async (the, { projectId }) => void (await fill(the, 10_000, projectId)),
    start: async ({ key }) => [(await startedExport(key)).id, (await startedExport(key)).id],
    async check({ key }, ids) {
      for (const id of ids) {
        const { state, done } = await endedExport(key, id);
        assert.deepEqual([state, done], ["done", 10_000]);
        const file = await (await key.send("GET", `/api/v1/exports/${id}/file`)).text();
        assert.equal(new Set(file.trimEnd().split("\n")).size, 10_001);
      }
    },
  },
  "bulk changes": {
    slow: ["lead", 2],
    prepare: async (the, { projectId }) => void (await fill(the, 10_500, projectId)),
    async start({ key }) {
      const change = async (tag: string) => {
        const body = { op: "tag_add", tags: [tag], expected_count: 10_500 };
        const filter = { field: "status", op: "eq", value: "new" };
        const sent = await key.send("POST", "/api/v1/leads/bulk", { ...body, filter });
        return (await bodyOf<{ id: string }>(sent, 202)).id;
      };
      return [await change("hot"), await change("seen")];
    },
    async check({ key }, ids) {
      for (const id of ids) {
        const job = await bodyOf<{ changed: number; done: number }>(
          await key.send("GET", `/api/v1/jobs/${id}`),
        );
        assert.deepEqual([job.done, job.changed], [10_500, 10_500]);
      }
    },
  },
  imports: {
    slow: ["lead", 2],
    async prepare(the, of) {
      files = await imported(the, of);
    },
    async start(of) {
      await begin(of, files, "commit");
      return files;
    },
    async check({ key }, ids) {
      for (const id of ids) {
        const { state, rows, created } = await endedImport(key, id);
        assert.deepEqual([state, rows, created], ["done", 6_000, 6_000]);
      }
    },
  },
  "undone imports": {
    slow: ["lead", 2],
    async prepare(the, of) {
      const stop = keepWorking(the.service);
      files = await imported(the, of);
      for (const id of files) await acted(of.key, id, "commit");
      await stop();
    },
    async start(of) {
      await begin(of, files, "undo");
      return files;
    },
    async check({ key }, ids) {
      for (const id of ids) {
        const { state, undo } = await endedImport(key, id);
        assert.deepEqual([state, undo?.deleted], ["undone", 6_000]);
      }
    },
  },
};

for (const [name, { slow, prepare, start, check }] of Object.entries(WORKS)) {
  large(
    `${name} of a project alone use all slots; one is left to another project at once, and they end complete`,
    async () => {
      await using the = await world({ env: { ROLE: "api" } });
      const [large, small] = [await tenant(the, "Large"), await tenant(the, "Small")];
      await prepare?.(the, large);
      const usual = await slowWrites(the, ...slow);
      const ids = await start(large);
      const stop = keepWorking(the.service);
      while ((await running(the, large)) < 2) await sleep(20);
      const before = (await statesOf(the, large)).filter((state) => state === "done").length;
      const { id } = await startedExport(small.key, { columns: ["id"] });
      assert.equal((await endedExport(small.key, id)).state, "done");
      const after = (await statesOf(the, large)).filter((state) => state === "done").length;
      assert.equal(after, before, "no job of the large project had ended before it");
      const kept = await the.sql(
        "SELECT FROM store.job_piece p JOIN store.job j USING (project_id) WHERE j.id = p.job_id AND j.state = 'waiting' AND j.kind = 'export'",
      );
      assert.equal(kept.length, 0, "an export that waits again keeps no part of its file");
      await usual();
      await untilAllDone(the, large);
      await check(large, ids);
      while ((await the.sql(`SELECT FROM ${QUEUE}`)).length > 0) await sleep(20);
      await stop();
    },
  );
}

large("the projects of a killed worker are not held up, and neither is another one", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const [killed, other] = [await tenant(the, "Killed"), await tenant(the, "Other")];
  await fill(the, 6_000, killed.projectId);
  const usual = await slowWrites(the, "job_piece");
  for (let n = 0; n < 3; n += 1) await startedExport(killed.key);
  const worker = await instance(the, "worker");
  while ((await running(the, killed)) < 2) await sleep(20);
  await worker.end("SIGKILL");
  await usual();
  await startedExport(other.key);
  const next = await instance(the, "worker");
  try {
    await untilAllDone(the, other, killed);
  } finally {
    await next.end("SIGTERM");
  }
});

large(
  "a process that is killed just as its job yields leaves no entry behind that holds up the queue",
  async () => {
    await using the = await world({ env: { ROLE: "api" } });
    const one = await tenant(the, "One");
    const { id } = await startedExport(one.key);
    await the.sql(`UPDATE ${QUEUE} SET locked_at = now(), locked_by = 'gone'`);
    await the.sql(
      `SELECT FROM ${WORKER_SCHEMA}.add_job('job', (SELECT payload FROM ${QUEUE}), job_key => $1::text)`,
      [`${one.projectId}/${id}`],
    );
    await the.sql(`UPDATE ${QUEUE} SET locked_at = NULL, locked_by = NULL WHERE key IS NULL`);
    const stop = keepWorking(the.service);
    assert.equal((await endedExport(one.key, id)).state, "done");
    while ((await the.sql(`SELECT FROM ${QUEUE}`)).length > 0) await sleep(20);
    await stop();
  },
);
