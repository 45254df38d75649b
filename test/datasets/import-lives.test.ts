import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { heldUntilEnd } from "../citus/triggers.ts";
import { sums } from "../imports/support/uploading.ts";
import { large } from "../large.ts";
import { lockWaits } from "../lock-waits.ts";
import { startService } from "../processes/service-process.ts";
import { slowWrites } from "../slow-writes.ts";
import { world } from "../world.ts";
import { bodyOf, COMPANIES, found, make, written } from "./support/dataset.ts";
import { actedOn, endedRows, IMPORTER, imported, type RowImport, sendRows } from "./support/importing.ts";

const UPLOAD = { path: "/api/v1/imports", query: "?dataset=companies" };
const counted = async (the: Awaited<ReturnType<typeof world>>) =>
  (
    await the.sql<{ n: number }>(
      "SELECT count(*)::integer AS n FROM store.dataset_row WHERE project_id = $1",
      [the.project.id],
    )
  )[0]?.n;

test("a dry run of rows counts what the commit will, stores nothing and blocks no other writer", async () => {
  await using the = await world();
  const key = await the.key(IMPORTER);
  const unique = COMPANIES.columns.map((column) =>
    column.key === "contact" ? { ...column, unique: true } : column,
  );
  await make(key, { ...COMPANIES, columns: unique });
  await written(key, [{ domain: "old", name: "Old", contact: "old@x.org" }]);
  const many = Array.from({ length: 4_500 }, (_, i) => `d${i % 3_000},N${i % 3_000},p${i % 3_000}@x.org`);
  const file = [
    "domain,name,contact",
    ...many,
    // The value moves to another row, and is free for a third one.
    "OLD,Older,new@x.org",
    "third,Third,OLD@x.org",
    "fourth,Fourth,p1@x.org",
    "d1,,p1b@x.org",
    "fourth,Fourth,p1@x.org",
    "fifth,,f@x.org",
    ",,",
    "x,X,bad",
  ].join("\n");
  const made = await bodyOf<RowImport>(await sendRows(the, key, file, UPLOAD), 201);
  const dry = await actedOn(key, made.id, "dry-run");
  assert.deepEqual(
    [dry.state, ...sums(dry.dry_run ?? {})],
    ["ready", 4_508, 3_002, 2, 1_500, 1, 3],
    JSON.stringify(dry.error),
  );
  assert.equal(await counted(the), 1);
  const done = await actedOn(key, made.id, "commit");
  assert.deepEqual(sums(done), sums(dry.dry_run ?? {}));
  assert.equal(await counted(the), 3_003);
  const { errors } = await bodyOf<{ errors: { errors: { code: string }[] }[] }>(
    await key.send("GET", `/api/v1/imports/${made.id}/errors`),
  );
  assert.deepEqual(
    errors.flatMap((row) => row.errors.map(({ code }) => code)),
    ["duplicate", "required", "not_an_email"],
  );
  const back = await (await key.send("GET", `/api/v1/imports/${made.id}/errors.csv`)).text();
  const again = await imported(
    the,
    key,
    back.replace("fifth,,", "fifth,Fifth,").replace(",bad,", ",x@x.org,"),
  );
  assert.deepEqual(sums(again), [3, 2, 0, 1, 0, 0]);
});

test("a column that changes its type while an import writes rows has their values afterwards", async () => {
  await using the = await world();
  const key = await the.key(IMPORTER);
  const columnsWith = (type: string) => [
    { key: "domain", type: "text" },
    { key: "size", type },
  ];
  await make(key, { key: "companies", columns: columnsWith("text"), key_column: "domain" });
  // Rows are written while this connection lives, and committed afterwards.
  const holder = await heldUntilEnd(the, "held", "AFTER INSERT ON store.dataset_row FOR EACH STATEMENT");
  const { id } = await bodyOf<RowImport>(await sendRows(the, key, "domain,size\na,5\nb,6\n"), 202);
  while ((await lockWaits(the)) === 0) await sleep(10);
  let answered = false;
  const changing = key
    .send("PATCH", "/api/v1/datasets/companies", { columns: columnsWith("integer") })
    .finally(() => {
      answered = true;
    });
  while (!answered && (await lockWaits(the)) < 2) await sleep(10);
  await holder.end();
  assert.equal((await endedRows(key, id)).state, "done");
  await bodyOf(await changing);
  const { rows } = await found(key, { sort: [{ field: "domain" }] });
  assert.deepEqual(
    rows.map(({ domain, size }) => [domain, size]),
    [
      ["a", 5],
      ["b", 6],
    ],
  );
});

test("an undo deletes the rows that an import created, restores those it changed, and keeps and lists later changes", async () => {
  await using the = await world();
  const key = await the.key(IMPORTER);
  await make(key);
  await written(key, [
    { domain: "a", name: "Old", employees: 1 },
    { domain: "b", name: "Old", employees: 1 },
    { domain: "g", name: "Gone" },
  ]);
  const before = await found(key, { sort: [{ field: "domain" }] });
  const done = await imported(
    the,
    key,
    "domain,name,employees\na,New,2\nb,New,2\ng,New,\nc,C,\nd,D,\nd,D2,\ne,E,\n",
  );
  assert.deepEqual(sums(done), [7, 3, 4, 0, 0, 0]);
  const ids = new Map((await found(key)).rows.map((row) => [row.domain, row._id]));
  await written(
    key,
    [
      { domain: "b", employees: 3 },
      { domain: "c", name: "Kept" },
    ],
    "update",
  );
  await bodyOf(await key.send("DELETE", "/api/datasets/companies/rows/", { keys: ["g", "e"] }));
  const undone = await actedOn(key, done.id, "undo");
  assert.deepEqual([undone.state, undone.undo], ["undone", { deleted: 1, restored: 2, left: 3 }]);
  const { rows } = await found(key, { sort: [{ field: "domain" }] });
  assert.deepEqual(
    rows.map(({ domain, name, employees }) => [domain, name, employees]),
    [
      ["a", "Old", 1],
      ["b", "Old", 3],
      ["c", "Kept", null],
    ],
  );
  assert.equal(rows[0]?._id, before.rows[0]?._id);
  const kept = await bodyOf<{ rows: { row_id: string; reason: string; fields: string[] }[] }>(
    await key.send("GET", `/api/v1/imports/${done.id}/kept`),
  );
  assert.deepEqual(
    kept.rows.toSorted((a, b) => (a.row_id < b.row_id ? -1 : 1)),
    [
      { row_id: ids.get("b"), reason: "changed", fields: ["employees"] },
      { row_id: ids.get("g"), reason: "gone", fields: [] },
      { row_id: ids.get("c"), reason: "changed", fields: [] },
    ].toSorted((a, b) => (String(a.row_id) < String(b.row_id) ? -1 : 1)),
  );
  const again = await actedOn(key, done.id, "undo");
  assert.deepEqual([again.state, again.undo], ["undone", { deleted: 1, restored: 2, left: 3 }]);
});

test("an undo restores unique values that an import moved from row to row", async () => {
  await using the = await world();
  const key = await the.key(IMPORTER);
  const columns = [
    { key: "domain", type: "text" },
    { key: "code", type: "text", unique: true },
  ];
  await make(key, { key: "companies", columns, key_column: "domain" });
  await written(key, [
    { domain: "a", code: "1" },
    { domain: "b", code: "2" },
  ]);
  const done = await imported(the, key, "domain,code\na,3\nb,1\nc,2\n");
  assert.deepEqual(sums(done), [3, 1, 2, 0, 0, 0]);
  assert.deepEqual((await actedOn(key, done.id, "undo")).undo, { deleted: 1, restored: 2, left: 0 });
  const { rows } = await found(key, { sort: [{ field: "domain" }] });
  assert.deepEqual(
    rows.map(({ domain, code }) => [domain, code]),
    [
      ["a", "1"],
      ["b", "2"],
    ],
  );
  assert.equal(
    (await key.send("POST", "/api/datasets/companies/rows/", { rows: [{ domain: "x", code: "3" }] })).status,
    200,
  );
});

large(
  "a cancelled import of rows keeps its counts, resumes where it stopped, and survives kill -9",
  async (t) => {
    await using the = await world({ env: { ROLE: "api" } });
    const key = await the.key(IMPORTER);
    await make(key);
    const lines = Array.from({ length: 16_000 }, (_, i) => `d${i},Company ${i},${i}`);
    const usual = await slowWrites(the, "dataset_row");
    const begun = await bodyOf<RowImport>(
      await sendRows(the, key, `domain,name,employees\n${lines.join("\n")}\n`),
      202,
    );
    const read = () =>
      key
        .send("GET", `/api/datasets/companies/imports/${begun.id}/`)
        .then((answer) => bodyOf<RowImport>(answer));
    const moved = async () => {
      const { rows: from } = await read();
      for (let now = await read(); now.rows === from && now.state !== "failed"; now = await read())
        await sleep(5);
    };
    const worker = await startService(the.databaseUrl, { SECRET_KEY: the.env.SECRET_KEY ?? "" });
    await moved();
    await worker.kill();
    // In one snapshot: the killed worker's last batch may be committed only now.
    const [killed] = await the.sql<{ rows: number; stored: number }>(
      "SELECT rows, (SELECT count(*)::integer FROM store.dataset_row) AS stored FROM store.import",
    );
    assert.equal(killed?.stored, killed?.rows, "every counted row is stored, and no other");
    t.diagnostic(`killed at ${killed?.rows} rows`);
    const stop = keepWorking(the.service);
    try {
      await moved();
      const cancelled = await bodyOf<RowImport>(await key.send("POST", `/api/v1/imports/${begun.id}/cancel`));
      assert.equal(cancelled.state, "cancelled");
      assert.ok(cancelled.rows < 16_000, String(cancelled.rows));
      await usual();
      await sleep(300);
      assert.equal(await counted(the), cancelled.rows);
      const rest = await (await key.send("GET", `/api/v1/imports/${begun.id}/unprocessed.csv`)).text();
      assert.deepEqual(rest.trimEnd().split("\r\n").slice(1), lines.slice(cancelled.rows));
      const done = await actedOn(key, begun.id, "commit");
      assert.deepEqual([done.state, ...sums(done)], ["done", 16_000, 16_000, 0, 0, 0, 0]);
      await bodyOf(await key.send("POST", `/api/v1/imports/${begun.id}/undo`), 202);
      assert.deepEqual((await endedRows(key, begun.id)).undo, { deleted: 16_000, restored: 0, left: 0 });
      assert.equal(await counted(the), 0);
    } finally {
      await stop();
    }
  },
);
