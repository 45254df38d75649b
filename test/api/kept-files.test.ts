import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { slowWrites } from "../slow-writes.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { type Export, endedExport, fill, readExport, startedExport } from "./support/exports.ts";
import { refusalOf } from "./support/v1.ts";

/** Files of 100 leads' ids: three of them fit, four do not. */
const FILE = { columns: ["id"], limit: 100, format: "ndjson" };
const FILE_BYTES = 100 * '{"id":"lead_00000000000000000000000001"}\n'.length;
const THREE = JSON.stringify({ keptBytes: 3 * FILE_BYTES + 100 });

const made = async (key: KeyActor, body: object = FILE): Promise<Export> =>
  await endedExport(key, (await startedExport(key, body)).id);

const statusOf = async (key: KeyActor, id: string): Promise<number> => {
  const response = await key.send("GET", `/api/v1/exports/${id}/file`);
  await response.arrayBuffer();
  return response.status;
};

const statuses = (key: KeyActor, exports: readonly Export[]): Promise<number[]> =>
  Promise.all(exports.map(({ id }) => statusOf(key, id)));

const keptBytes = async (the: World): Promise<number> =>
  (await the.sql<{ n: number }>("SELECT sum(length(bytes))::integer AS n FROM store.job_piece"))[0]?.n ?? 0;

test("a finished file that does not fit makes the project's oldest ones expire, and no other project's", async () => {
  await using the = await world({ env: { EXPORTS: THREE } });
  const key = await the.key();
  await fill(the, 200);
  const elsewhere = await the.newProject(the.person, "Other");
  await fill(the, 200, elsewhere.id);
  const stranger = await the.key(["leads:read"], elsewhere.id);
  const other = await made(stranger);
  assert.equal(other.bytes, FILE_BYTES);
  const files = [await made(key), await made(key), await made(key)];
  assert.deepEqual(await statuses(key, files), [200, 200, 200]);
  files.push(await made(key));
  assert.deepEqual(await statuses(key, files), [410, 200, 200, 200]);
  const first = String(files[0]?.id);
  const refused = await refusalOf(await key.send("GET", `/api/v1/exports/${first}/file`));
  assert.deepEqual([refused.status, refused.code], [410, "expired"]);
  assert.ok(Date.parse((await readExport(key, first)).expires_at ?? "") <= Date.now());
  assert.equal((await readExport(key, first)).state, "done", "its record stays");
  files.push(await made(key, { ...FILE, limit: 200 }));
  assert.deepEqual(await statuses(key, files), [410, 410, 410, 200, 200], "a larger one replaces two");
  await made(key, { ...FILE, limit: 200 });
  // Files that expired less than an hour ago take no more room than those that did not.
  while ((await keptBytes(the)) > 7 * FILE_BYTES) await sleep(20);
  assert.equal(await statusOf(stranger, other.id), 200);
});

large(
  "a download that has begun is whole, although a newer file makes its file expire; another one is refused",
  async () => {
    await using the = await world({ env: { EXPORTS: '{"keptBytes":25000000}' } });
    const key = await the.key();
    await fill(the, 10_000);
    const { id } = await made(key, {});
    const download = await key.send("GET", `/api/v1/exports/${id}/file`);
    assert.equal((await made(key, {})).state, "done");
    // Another export of the project, so that what follows the end of the one before has happened.
    await made(key, { columns: ["id"], limit: 1 });
    assert.equal(await statusOf(key, id), 410);
    const bytes = (await download.arrayBuffer()).byteLength;
    assert.equal(bytes, Number(download.headers.get("content-length")));
  },
);

test("a file larger than the project may keep fails with that reason, and costs no other file", async () => {
  await using the = await world({ env: { EXPORTS: THREE } });
  const key = await the.key();
  await fill(the, 400);
  const small = await made(key);
  const large = await made(key, { ...FILE, limit: 400 });
  assert.deepEqual([large.state, large.error?.code, large.bytes], ["failed", "file_too_large", null]);
  assert.match(large.error?.message ?? "", /larger than 12,\d{3} bytes/);
  assert.equal(await statusOf(key, small.id), 200);
  assert.equal(await keptBytes(the), FILE_BYTES);
});

test("files that are finished by several workers at once never exceed the quota together", async () => {
  await using the = await world({ env: { ROLE: "api", EXPORTS: THREE } });
  const key = await the.key();
  await fill(the, 100);
  const begun: Export[] = [];
  for (let n = 0; n < 12; n += 1) begun.push(await startedExport(key, FILE));
  // So that the transactions that finish files overlap.
  await slowWrites(the, "job", 0.1);
  const workers = [await instance(the, "worker"), await instance(the, "worker")];
  try {
    const ended = await Promise.all(begun.map(({ id }) => endedExport(key, id)));
    assert.deepEqual([...new Set(ended.map(({ state }) => state))], ["done"]);
    assert.equal((await statuses(key, begun)).filter((status) => status === 200).length, 3);
    while ((await keptBytes(the)) > 6 * FILE_BYTES) await sleep(20);
  } finally {
    await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
  }
});

test("a cancelled export makes no other file expire", async () => {
  await using the = await world({ env: { ROLE: "api", EXPORTS: THREE } });
  const key = await the.key();
  await fill(the, 100);
  const stop = keepWorking(the.service);
  const files = [await made(key), await made(key), await made(key)];
  const usual = await slowWrites(the, "job_piece", 4);
  const { id } = await startedExport(key, FILE);
  while ((await readExport(key, id)).state === "waiting");
  assert.equal((await key.send("POST", `/api/v1/exports/${id}/cancel`)).status, 200);
  await usual();
  await stop();
  assert.deepEqual(await statuses(key, files), [200, 200, 200]);
});

test("the operator sets how many days a file is kept", async () => {
  await using the = await world({ env: { EXPORTS: '{"keptDays":2,"keptBytes":null}' } });
  const key = await the.key();
  const { id } = await made(key);
  const [job] = await the.sql<{ days: number }>(
    "SELECT extract(epoch FROM expires_at - finished_at)::integer / 86400 AS days FROM store.job WHERE id = $1",
    [id],
  );
  assert.equal(job?.days, 2);
});
