import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { keepWorking } from "../../../src/domain/upkeep/keep-working.ts";
import { bodyOf } from "../../api/support/v1.ts";
import { leadOf, writer } from "../../api/support/writing.ts";
import { found, make, written } from "../../datasets/support/dataset.ts";
import { IMPORTER, sendRows } from "../../datasets/support/importing.ts";
import { slowWrites } from "../../slow-writes.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { acted, ended, type ImportBody, uploaded } from "../support/uploading.ts";

const API = { env: { ROLE: "api" } };

const working = async <T>(the: World, work: () => Promise<T>): Promise<T> => {
  const stop = keepWorking(the.service);
  return await work().finally(stop);
};

interface Shown {
  state: string;
  counts: object;
  undone_by: string | null;
  reversible: boolean;
}

const changeOf = async (key: KeyActor, id: string | null): Promise<Shown> =>
  await bodyOf<Shown>(await key.send("GET", `/api/v1/changes/${id}`));

/** Starts the undo of an import, which fails after its first batch, as if the queue had given it up; returns its change. */
async function failedUndo(
  the: World,
  key: KeyActor,
  id: string,
  table: string,
): Promise<{ undo: string; failed: ImportBody }> {
  const usual = await slowWrites(the, table, 1);
  const undo = await working(the, async () => {
    const answer = await key.send("POST", `/api/v1/imports/${id}/undo`);
    await bodyOf(answer, 202);
    const begun = "SELECT FROM store.import WHERE id = $1 AND undo IS NOT NULL";
    while ((await the.sql(begun, [id])).length === 0) await sleep(20);
    return answer.headers.get("x-leadgate-change") ?? assert.fail("no change is named");
  });
  await usual();
  await the.sql(
    `UPDATE store.job SET state = 'failed', error = '{"code": "internal", "message": "x"}' WHERE state = 'waiting'`,
  );
  const failed = await ended(key, id);
  assert.equal(failed.state, "done");
  return { undo, failed };
}

const keptOf = async (key: KeyActor, id: string): Promise<{ reason: string }[]> => {
  const { leads, rows } = await bodyOf<Record<"leads" | "rows", { reason: string }[]>>(
    await key.send("GET", `/api/v1/imports/${id}/kept`),
  );
  return leads ?? rows;
};

test("the undo of an import that failed is continued: one change, which lists all that was kept and gives back external ids", async () => {
  await using the = await world(API);
  const key = await writer(the);
  const one = await leadOf(await key.send("POST", "/api/v1/leads", { external_id: "A" }), 201);
  const filler = Array.from({ length: 1_600 }, (_, i) => `,f${i},Filler`);
  const file = `id,external_id,name\n${one.id},C,\n${filler.join("\n")}\n,A,New\n`;
  const { id } = await uploaded(the, key, file);
  const { change_id: change } = await working(the, () => acted(key, id, "commit"));
  const edited = await the.sql<{ id: string }>(
    "SELECT id FROM store.lead WHERE id <> $1 ORDER BY id LIMIT 3",
    [one.id],
  );
  for (const lead of edited)
    await leadOf(await key.send("PATCH", `/api/v1/leads/${lead.id}`, { name: "Kept" }));
  const { undo, failed } = await failedUndo(the, key, id, "lead");
  assert.equal(
    failed.undo?.left,
    4,
    "three that were edited, and one whose former external id another lead has",
  );
  assert.equal((await changeOf(key, change)).reversible, true);

  const answer = await key.send("POST", `/api/v1/changes/${change}/undo`, {});
  const { change_id: continued } = await bodyOf<{ change_id: string }>(answer, 202);
  assert.deepEqual([continued, answer.headers.get("x-leadgate-change")], [undo, undo]);
  assert.equal((await changeOf(key, undo)).state, "running");
  const done = await working(the, () => ended(key, id));
  assert.deepEqual([done.state, done.undo], ["undone", { deleted: 1_598, restored: 1, left: 3 }]);
  const kept = await keptOf(key, id);
  assert.deepEqual(
    kept.map(({ reason }) => reason),
    ["changed", "changed", "changed"],
  );
  const { external_id } = await leadOf(await key.send("GET", `/api/v1/leads/${one.id}`));
  assert.equal(external_id, "A");
  const { state, counts } = await changeOf(key, undo);
  assert.deepEqual([state, counts], ["done", { leads_deleted: 1_598, leads_updated: 1, kept: 3 }]);
  const { undone_by: by, reversible } = await changeOf(key, change);
  assert.deepEqual([by, reversible], [undo, true], "what was kept may be taken back later");
});

test("the same holds for an import into a dataset", async () => {
  await using the = await world(API);
  const key = await the.key([...IMPORTER, "leads:read"]);
  await make(key);
  const lines = Array.from({ length: 1_600 }, (_, i) => `d${i},Company ${i}`);
  const { id } = await bodyOf<ImportBody>(
    await sendRows(the, key, `domain,name\n${lines.join("\n")}\n`),
    202,
  );
  await working(the, () => ended(key, id));
  await written(
    key,
    [0, 1, 2].map((i) => ({ domain: `d${i}`, name: "Kept" })),
    "update",
  );
  const { undo, failed } = await failedUndo(the, key, id, "change");
  assert.equal(failed.undo?.left, 3);
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/undo`), 202);
  const done = await working(the, () => ended(key, id));
  assert.deepEqual([done.state, done.undo], ["undone", { deleted: 1_597, restored: 0, left: 3 }]);
  assert.equal((await keptOf(key, id)).length, 3);
  assert.deepEqual((await changeOf(key, undo)).counts, { rows_deleted: 1_597, kept: 3 });
  assert.equal((await found(key)).rows.length, 3);
});

test("an undo that failed and was undone itself is not continued: the next one starts again", async () => {
  await using the = await world(API);
  const key = await writer(the);
  const rows = Array.from({ length: 1_200 }, (_, i) => `e${i},Person ${i}`);
  const { id } = await uploaded(the, key, `external_id,name\n${rows.join("\n")}\n`);
  await working(the, () => acted(key, id, "commit"));
  const { undo, failed } = await failedUndo(the, key, id, "lead");
  assert.ok((failed.undo?.deleted ?? 0) < 1_200);
  await bodyOf(await key.send("POST", `/api/v1/changes/${undo}/undo`, {}));
  const done = await working(the, () => acted(key, id, "undo"));
  assert.deepEqual([done.state, done.undo], ["undone", { deleted: 1_200, restored: 0, left: 0 }]);
  const left = await the.sql("SELECT FROM store.lead WHERE deleted_at IS NULL");
  assert.equal(left.length, 0);
});
