import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, type World, world } from "../world.ts";
import { bodyOf, found, keeper, make, write, written } from "./support/dataset.ts";
import { endedRows, IMPORTER, imported, sendRows } from "./support/importing.ts";

const UNIQUE = {
  key: "companies",
  columns: [
    { key: "domain", type: "text" },
    { key: "code", type: "text", unique: true },
    { key: "size", type: "integer" },
  ],
  key_column: "domain",
};

interface Item {
  change_id: string;
  kind: string;
  record_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  version: number;
}

const changesOf = (the: World) =>
  the.sql<{ id: string; kind: string; counts: object; about: object; bytes: number; undoes: string | null }>(
    "SELECT id, kind, counts, about, bytes::integer, undoes FROM store.change WHERE project_id = $1 ORDER BY id",
    [the.project.id],
  );

const itemsOf = (the: World, change: string | null) =>
  the.sql<Item>("SELECT * FROM store.change_item WHERE change_id = $1 ORDER BY id", [change]);

interface Undone {
  change_id: string;
  counts: Record<string, number>;
  records: {
    id: string;
    outcome: string;
    put_back: string[];
    kept: { field: string | null; reason: string; by: { label: string } | null; change_id: string | null }[];
  }[];
}

/** Undoes a change; returns the undo's id and what it did, by record. */
async function undone(key: KeyActor, of: string) {
  const undo = await bodyOf<Undone>(await key.send("POST", `/api/v1/changes/${of}/undo`, {}));
  const done = undo.records.map(({ put_back: putBack, ...record }) => ({ ...record, putBack }));
  return { id: undo.change_id, counts: undo.counts, done };
}

const headerOf = (response: Response): string => {
  const id = response.headers.get("x-leadgate-change");
  assert.ok(id !== null, String(response.status));
  return id;
};

const shown = async (key: Parameters<typeof found>[0]) =>
  (await found(key, { sort: [{ field: "domain" }] })).rows.map(({ domain, code, size }) => [
    domain,
    code,
    size,
  ]);

test("writing and deleting rows is a change with an item for each row that changed; what changes nothing is none", async () => {
  await using the = await world();
  const key = await keeper(the);
  const { id: dataset } = await make(key, UNIQUE);
  const created = headerOf(await write(key, [{ domain: "a", code: "1" }, { domain: "b" }]));
  const changed = headerOf(
    await write(
      key,
      [
        { domain: "a", size: 5 },
        { domain: "b", size: null },
      ],
      "upsert",
    ),
  );
  const same = await write(key, [{ domain: "a", size: 5 }], "upsert");
  assert.equal(same.headers.get("x-leadgate-change"), null);
  assert.equal((await write(key, [{ domain: "a" }])).headers.get("x-leadgate-change"), null);
  const gone = headerOf(await key.send("DELETE", "/api/datasets/companies/rows/", { keys: ["a", "none"] }));
  const rest = (await found(key)).rows[0]?._id;
  const one = headerOf(await key.send("DELETE", `/api/v1/datasets/companies/rows/${rest}`));
  const all = await changesOf(the);
  assert.deepEqual(
    all.map(({ id, kind, counts, about }) => [id, kind, counts, about]),
    [
      [all[0]?.id, "dataset.create", {}, { dataset_id: dataset }],
      [created, "row.write", { rows_created: 2 }, { dataset_id: dataset }],
      [changed, "row.write", { rows_updated: 1 }, { dataset_id: dataset }],
      [gone, "row.delete", { rows_deleted: 1 }, { dataset_id: dataset }],
      [one, "row.delete", { rows_deleted: 1 }, { dataset_id: dataset }],
    ],
  );
  for (const { bytes, kind } of all.slice(1)) assert.ok(bytes > 0, kind);
  const values = async (change: string) =>
    (await itemsOf(the, change)).map(({ before, after, version }) => [before, after, version]);
  assert.deepEqual(await values(created), [
    [null, { c1: "a", c2: "1" }, 1],
    [null, { c1: "b" }, 1],
  ]);
  assert.deepEqual(await values(changed), [[{ c3: null }, { c3: 5 }, 2]]);
  const [[{ _created_at: at, ...cells } = {}, after, version] = []] = (await values(gone)) as [
    Record<string, unknown>,
    null,
    number,
  ][];
  assert.deepEqual([cells, after, version], [{ c1: "a", c2: "1", c3: 5 }, null, 2]);
  assert.match(String(at), /^\d{4}-\d\d-\d\dT/);
});

test("a deletion by filter whose count is another one is no change", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, UNIQUE);
  await written(key, [{ domain: "a" }, { domain: "b" }]);
  const remove = (expected: number) =>
    key.send("DELETE", "/api/datasets/companies/rows/", {
      filter: { field: "domain", op: "in", value: ["a", "b"] },
      expected_count: expected,
    });
  for (const wrong of [0, 1, 3]) {
    const refused = await remove(wrong);
    assert.equal(refused.status, 409);
    assert.equal(refused.headers.get("x-leadgate-change"), null);
  }
  const change = headerOf(await remove(2));
  assert.deepEqual((await changesOf(the)).at(-1)?.counts, { rows_deleted: 2 });
  assert.equal((await itemsOf(the, change)).length, 2);
});

test("undoing a deletion brings each row back under its id, as old as it was, unless its unique value is taken", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, UNIQUE);
  await written(key, [
    { domain: "a", code: "1", size: 1 },
    { domain: "b", code: "2" },
  ]);
  await written(key, [{ domain: "a", size: 2 }], "update");
  const before = (await found(key, { sort: [{ field: "domain" }] })).rows;
  const change = headerOf(await key.send("DELETE", "/api/datasets/companies/rows/", { keys: ["a", "b"] }));
  await written(key, [{ domain: "c", code: "2" }]);
  const { id, done } = await undone(key, change);
  assert.deepEqual(
    done.map(({ id, outcome, kept }) => [id, outcome, kept.map(({ field, reason }) => [field, reason])]),
    [
      [before[1]?._id, "kept", [[null, "taken"]]],
      [before[0]?._id, "restored", []],
    ],
  );
  const { rows } = await found(key, { sort: [{ field: "domain" }] });
  assert.deepEqual(
    [rows[0]?._id, rows[0]?._created_at, rows[0]?._version, rows[0]?.size],
    [before[0]?._id, before[0]?._created_at, 3, 2],
  );
  assert.equal(rows.length, 2);
  // The undo of the undo deletes it again.
  assert.deepEqual(
    (await undone(key, id)).done.map(({ outcome }) => outcome),
    ["deleted"],
  );
  assert.deepEqual(await shown(key), [["c", "2", null]]);
});

test("undoing a write deletes created rows and puts former cells back, but never over what somebody changed since", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, UNIQUE);
  await written(key, [
    { domain: "a", code: "1", size: 1 },
    { domain: "b", code: "2", size: 2 },
  ]);
  const ids = new Map((await found(key)).rows.map((row) => [row.domain, row._id]));
  const rows = [
    { domain: "a", code: "3", size: 10 },
    { domain: "b", code: "1", size: 20 },
    { domain: "c", code: "2" },
    { domain: "d" },
  ];
  const change = headerOf(await write(key, rows, "upsert"));
  const later = headerOf(
    await write(
      key,
      [
        { domain: "b", size: 21 },
        { domain: "d", size: 1 },
      ],
      "update",
    ),
  );
  const { id, done } = await undone(key, change);
  const [b] = done.filter((each) => each.id === ids.get("b"));
  assert.deepEqual(
    [b?.outcome, b?.putBack, b?.kept.map(({ field }) => field)],
    ["put_back", ["code"], ["size"]],
  );
  assert.deepEqual(
    b?.kept.map(({ reason, by, change_id }) => [reason, by?.label, change_id]),
    [["changed_since", "test", later]],
  );
  assert.deepEqual(await shown(key), [
    ["a", "1", 1],
    ["b", "2", 21],
    ["d", null, 1],
  ]);
  const counts = (await changesOf(the)).find((each) => each.id === id)?.counts;
  assert.deepEqual(counts, { rows_deleted: 1, rows_updated: 2, kept: 2 });
  // The undo of the undo.
  await undone(key, id);
  assert.deepEqual(await shown(key), [
    ["a", "3", 10],
    ["b", "1", 21],
    ["c", "2", null],
    ["d", null, 1],
  ]);
  const { records } = await bodyOf<Undone>(await key.send("GET", `/api/v1/changes/${change}`));
  assert.deepEqual(
    records.map((each) => each.outcome),
    ["updated", "updated", "created", "created"],
  );
});

test("a row that one call changes several times is undone step by step, also if two rows swapped a unique value", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, UNIQUE);
  await written(key, [
    { domain: "a", code: "1" },
    { domain: "b", code: "2" },
  ]);
  const rows = [
    { domain: "a", code: "x" },
    { domain: "b", code: "1" },
    { domain: "a", code: "2" },
    { domain: "c", size: 1 },
    { domain: "c", size: 2 },
  ];
  const change = headerOf(await write(key, rows, "upsert"));
  const { done } = await undone(key, change);
  assert.deepEqual(done.map(({ outcome }) => outcome).sort(), ["deleted", "put_back", "put_back"]);
  assert.deepEqual(await shown(key), [
    ["a", "1", null],
    ["b", "2", null],
  ]);
});

test("what does not fit a changed dataset any more is kept: columns that are gone, and all of a dataset that is", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, UNIQUE);
  await written(key, [{ domain: "a", code: "1", size: 1 }]);
  const change = headerOf(await write(key, [{ domain: "a", code: "2", size: 2 }], "update"));
  const removed = headerOf(await key.send("DELETE", "/api/datasets/companies/rows/", { keys: ["a"] }));
  await bodyOf(await key.send("PATCH", "/api/v1/datasets/companies", { drop: ["size"] }));
  const back = await undone(key, removed);
  assert.deepEqual(
    back.done.map(({ outcome, kept }) => [outcome, kept.map(({ reason }) => reason)]),
    [["restored", ["does_not_fit"]]],
  );
  const { done } = await undone(key, change);
  assert.deepEqual(
    done.map(({ outcome, putBack, kept }) => [outcome, putBack, kept.map(({ reason }) => reason)]),
    [["put_back", ["code"], ["does_not_fit"]]],
  );
  assert.equal((await key.send("DELETE", "/api/v1/datasets/companies")).status, 204);
  // The undo of the change is continued: the dataset has gone with the column that it kept.
  assert.deepEqual(
    (await undone(key, change)).done.map(({ outcome, kept }) => [outcome, kept.map(({ reason }) => reason)]),
    [["kept", ["gone"]]],
  );
});

test("the undo of many rows goes on after each batch, and counts a row once that two batches reach", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(IMPORTER);
  await make(key, UNIQUE);
  await written(key, [{ domain: "d0", size: 1 }]);
  const lines = Array.from({ length: 1_200 }, (_, i) => `d${i},${i + 10}`);
  const done = await imported(the, key, `domain,size\n${lines.join("\n")}\nd0,5\nd1,6\n`);
  assert.deepEqual([done.created, done.updated], [1_199, 3]);
  const [change] = (await changesOf(the)).filter(({ kind }) => kind === "import");
  assert.deepEqual(change?.counts, { rows_created: 1_199, rows_updated: 3 });
  assert.deepEqual(change?.about, { import_id: done.id, dataset_id: done.dataset?.id });
  await bodyOf(await key.send("POST", `/api/v1/imports/${done.id}/undo`), 202);
  const undo = await endedRows(key, done.id);
  assert.deepEqual([undo.state, undo.undo], ["undone", { deleted: 1_199, restored: 1, left: 0 }]);
  assert.deepEqual(await shown(key), [["d0", null, 1]]);
  const [taken] = (await changesOf(the)).filter(({ kind }) => kind === "undo");
  assert.equal(taken?.undoes, change?.id);
  // The undo of the undo makes them again.
  const redone = await undone(key, taken?.id ?? "");
  assert.equal(redone.counts.restored, 1_199);
  const rows = await the.sql<{ domain: string; size: number }>(
    "SELECT cells ->> 'c1' AS domain, (cells -> 'c3')::integer AS size FROM store.dataset_row",
  );
  const sizes = new Map(rows.map(({ domain, size }) => [domain, size]));
  assert.deepEqual([sizes.size, sizes.get("d0"), sizes.get("d1"), sizes.get("d9")], [1_200, 5, 6, 19]);
});

test("a dry run of an import is no change", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(IMPORTER);
  await make(key, UNIQUE);
  const sent = await sendRows(the, key, "domain,size\na,1\n", {
    ...{ path: "/api/v1/imports", query: "?dataset=companies" },
  });
  const { id } = await bodyOf<{ id: string }>(sent, 201);
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/dry-run`), 202);
  await endedRows(key, id);
  assert.deepEqual(
    (await changesOf(the)).map(({ kind }) => kind),
    ["dataset.create"],
  );
});
