import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { readTimeLimits } from "../../src/config/read-connections.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { large } from "../large.ts";
import { type KeyActor, world } from "../world.ts";
import { bodyOf, type Dataset, errorsOf, found, keeper, make, write, written } from "./support/dataset.ts";

const A = { key: "a", type: "text" };
const B = { key: "b", type: "text" };
const BASE = { key: "things", columns: [A, B] };

const change = async <T = Dataset>(key: KeyActor, patch: object, status = 200): Promise<T> =>
  await bodyOf<T>(await key.send("PATCH", "/api/v1/datasets/things", patch), status);
const add = (key: KeyActor, rows: object[], mode = "insert") => written(key, rows, mode, "things");
const all = async (key: KeyActor, sort = "a") =>
  (await found(key, { sort: [{ field: sort }], limit: 500 }, "things")).rows.map(
    ({ _id, _lead_id, _version, _created_at, _updated_at, ...row }) => row,
  );

/** Waits until no change of the columns is under way: on a busy machine it continues behind its answer, a 202. */
async function settled(key: KeyActor): Promise<void> {
  const running = async () =>
    (await bodyOf<{ change: object | null }>(await key.send("GET", "/api/datasets/things/"))).change;
  while ((await running()) !== null) await sleep(50);
}

interface Refused {
  error: { code: string; details: { path: string; code: string }[] };
}

test("a column is renamed and moved with its values, added, and dropped only by name", async () => {
  await using the = await world({ alone: true });
  const key = await keeper(the);
  await make(key, { ...BASE, key_column: "a", lead_link: { column: "a", match: "external_id" } });
  await add(key, [{ a: "1", b: "x" }]);
  const forgotten = await change<Refused>(key, { columns: [A] }, 400);
  assert.equal(forgotten.error.code, "column_missing");
  const renamed = await change(key, {
    columns: [{ key: "n", type: "integer" }, B, { ...A, key: "id", was: "a" }],
  });
  assert.deepEqual(
    [renamed.key_column, renamed.lead_link],
    ["id", { column: "id", match: "external_id", personal: true }],
  );
  assert.deepEqual(await all(key, "id"), [{ n: null, b: "x", id: "1" }]);
  assert.equal((await change<Refused>(key, { drop: ["id"] }, 409)).error.code, "column_in_use");
  await change(key, { drop: ["b"] });
  assert.deepEqual(await all(key, "id"), [{ n: null, id: "1" }]);
  await change(key, { columns: [{ key: "n", type: "integer" }, { ...A, key: "id" }, B] });
  assert.deepEqual(
    await all(key, "id"),
    [{ n: null, id: "1", b: null }],
    "a column of the same name is another one",
  );
  await the.sql(`UPDATE store.dataset SET dropped = replace(dropped::text, '"at": "2', '"at": "1')::jsonb`);
  await sweep(the.service);
  assert.deepEqual(
    await the.sql("SELECT cells, dropped FROM store.dataset_row JOIN store.dataset USING (project_id)"),
    [{ cells: { c1: "1" }, dropped: [] }],
  );
  assert.equal(
    (await change<Refused>(key, { columns: [B, { ...A, was: "none" }], drop: ["id", "n"] }, 400)).error.code,
    "unknown_column",
  );
});

test("a column's type changes if every value fits, else 409 with examples, and nothing has changed", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, BASE);
  const { results } = await add(key, [{ a: "1", b: "12" }, { a: "2", b: " 1.5" }, { a: "3" }]);
  const refused = await change<Refused>(key, { columns: [A, { key: "b", type: "integer" }] }, 409);
  assert.equal(refused.error.code, "rows_do_not_fit");
  assert.deepEqual(refused.error.details, [
    { path: `${results[1]?.id}.b`, code: "not_an_integer", message: "is not an integer" },
  ]);
  assert.deepEqual(await all(key), [
    { a: "1", b: "12" },
    { a: "2", b: "1.5" },
    { a: "3", b: null },
  ]);
  const changed = await change(key, { columns: [A, { key: "b", type: "number" }] });
  assert.equal(changed.version, 2);
  assert.deepEqual(await all(key), [
    { a: "1", b: 12 },
    { a: "2", b: 1.5 },
    { a: "3", b: null },
  ]);
  assert.deepEqual(
    (await found(key, { filter: { field: "b", op: "gt", value: 5 } }, "things")).page_info.total,
    1,
  );
  assert.equal((await found(key, {}, "things")).rows[0]?._version, 1, "rows are as their writers left them");
  await change(key, { columns: [A, { key: "b", type: "text" }] });
  assert.deepEqual((await all(key))[0], { a: "1", b: "12" });
  await change<Refused>(key, { columns: [A, { key: "b", type: "enum", options: ["12"] }] }, 409);
  await change(key, { columns: [A, { key: "b", type: "enum", options: ["12", "1.5"] }] });
  await change<Refused>(key, { columns: [A, { key: "b", type: "enum", options: ["12"] }] }, 409);
  await change(key, { columns: [A, { key: "b", type: "enum", options: ["12", "1.5", "new"] }] });
});

test("required and unique are turned on if the rows allow it, and hold from then on", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, BASE);
  await add(key, [{ a: "1", b: "x" }, { a: "2", b: "X" }, { a: "3" }]);
  const refusedBy = async (column: object) =>
    (await change<Refused>(key, { columns: [A, { ...B, ...column }] }, 409)).error.details.map(
      ({ code }) => code,
    );
  assert.deepEqual(await refusedBy({ unique: true }), ["duplicate"]);
  assert.deepEqual(await refusedBy({ required: true }), ["required"]);
  assert.equal(
    (await change<Refused>(key, { columns: [A, B, { ...B, key: "c", required: true }] }, 409)).error.code,
    "rows_do_not_fit",
  );
  const rows = (
    await found(
      key,
      { filter: { field: "a", op: "in", value: ["2", "3"] }, sort: [{ field: "a" }] },
      "things",
    )
  ).rows;
  await add(
    key,
    rows.map(({ _id }, n) => ({ _id, b: `y${n}` })),
    "update",
  );
  const changed = await change(key, { key_column: "b" });
  assert.deepEqual(changed.columns[1], {
    key: "b",
    label: "b",
    type: "text",
    required: true,
    unique: true,
    options: [],
  });
  assert.deepEqual(await errorsOf(await write(key, [{ a: "4", b: "Y0" }], "insert", "things")), [
    [0, "b", "duplicate"],
  ]);
  assert.deepEqual(await errorsOf(await write(key, [{ a: "4" }], "insert", "things")), [
    [0, "b", "required"],
  ]);
  assert.equal((await add(key, [{ a: "5", b: "y0" }], "upsert")).updated, 1);
  await change(key, { key_column: null, columns: [A, { ...B, required: false, unique: false }] });
  assert.equal((await add(key, [{ a: "6", b: "x" }, { a: "7" }])).created, 2);
  assert.deepEqual(await refusedBy({ unique: true }), ["duplicate"]);
});

test("rows that are written while a column changes its type and becomes unique conform to both, and none is lost", async () => {
  await using the = await world({ alone: true });
  const key = await keeper(the);
  await make(key, BASE);
  for (let at = 0; at < 3_000; at += 500)
    await add(
      key,
      Array.from({ length: 500 }, (_, n) => ({ a: `${at + n}`, b: `${at + n}` })),
    );
  let done = false;
  const changing = (async () => {
    const patch = { columns: [A, { key: "b", type: "integer", unique: true }] };
    const { status } = await key.send("PATCH", "/api/v1/datasets/things", patch);
    if (status === 202) await settled(key);
    return status;
  })().finally(() => {
    done = true;
  });
  changing.catch(() => undefined);
  let n = 10_000;
  const refused: string[] = [];
  const seen = new Set<string>();
  while (!done) {
    const [asText, asNumber] = [
      await write(key, [{ a: `${n}`, b: `${n}` }], "insert", "things"),
      await write(key, [{ a: `${n}`, b: n }], "insert", "things"),
    ];
    const statuses = [asText.status, asNumber.status].sort().join(" ");
    if (statuses !== "200 422") refused.push(statuses);
    const [row] = (await found(key, { filter: { field: "a", op: "eq", value: "5" } }, "things")).rows;
    seen.add(typeof row?.b);
    n += 1;
  }
  assert.ok([200, 202].includes(await changing));
  assert.deepEqual(refused, []);
  assert.ok(
    [...seen].every((type) => type === "string" || type === "number"),
    [...seen].join(),
  );
  const total = (await found(key, { total: "exact", filter: { field: "b", op: "gte", value: 0 } }, "things"))
    .page_info.total;
  assert.equal(total, 3_000 + n - 10_000);
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.dataset_unique"), [{ n: total }]);
});

test("two concurrent changes do not mix: one succeeds, the other is refused or done after it", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, BASE);
  await add(
    key,
    Array.from({ length: 500 }, (_, n) => ({ a: `${n}`, b: `${n}` })),
  );
  const answers = await Promise.all(
    ["integer", "number", "integer", "number"].map((type) =>
      key.send("PATCH", "/api/v1/datasets/things", { columns: [A, { key: "b", type }] }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  assert.ok(
    statuses.some((status) => status < 300) && statuses.every((status) => [200, 202, 409].includes(status)),
    statuses.join(),
  );
  await settled(key);
  assert.equal(
    (await found(key, { filter: { field: "b", op: "lt", value: 10 } }, "things")).page_info.total,
    10,
  );
});

test("a change whose process died is taken over by the next one", async () => {
  await using the = await world({ alone: true });
  const key = await keeper(the);
  await make(key, BASE);
  await add(key, [{ a: "1", b: "12" }]);
  await the.sql(
    `UPDATE store.dataset SET slots = 3, change_beat = now() - interval '2 minutes', change =
       '{"token": "req_gone", "columns": {"c2": {"slot": "c3", "key": "b", "label": "b", "type": "boolean", "required": true, "unique": false, "options": []}}}'`,
  );
  assert.deepEqual(await errorsOf(await write(key, [{ a: "2", b: "x" }], "insert", "things")), [
    [0, "b", "not_a_boolean"],
  ]);
  await change(key, { columns: [A, { key: "b", type: "integer" }] });
  assert.deepEqual(await all(key), [{ a: "1", b: 12 }]);
  await add(key, [{ a: "2" }]);
  await change(key, { name: "Things" });
});

large("a change that takes long is 202, continues in the background, and reports its outcome", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, BASE);
  await add(
    key,
    Array.from({ length: 500 }, () => ({ a: "1", b: "1" })),
  );
  const { results } = await add(key, [{ a: "2", b: "12" }]);
  const get = async () =>
    await bodyOf<{ change: { state: string; details: object[] } | null; columns: { type: string }[] }>(
      await key.send("GET", "/api/datasets/things/"),
    );
  const whileHeld = async (type: string) => {
    const holder = new pg.Client({ connectionString: the.databaseUrl });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM store.dataset_row WHERE project_id = $1 FOR UPDATE", [the.project.id]);
    const shown = await change<{ change: object; columns: { type: string }[] }>(
      key,
      { columns: [A, { key: "b", type }] },
      202,
    );
    assert.deepEqual([shown.change, shown.columns[1]?.type], [{ state: "running", details: [] }, "text"]);
    await holder.query("ROLLBACK");
    await holder.end();
    for (;;) {
      const now = await get();
      if (now.change?.state !== "running") return now;
    }
  };
  const failed = await whileHeld("boolean");
  assert.equal(failed.change?.state, "failed");
  assert.deepEqual(failed.change?.details, [
    {
      path: `${results[0]?.id}.b`,
      code: "not_a_boolean",
      message: "must be a yes or no value, such as true or false",
    },
  ]);
  const done = await whileHeld("integer");
  assert.deepEqual([done.change, done.columns[1]?.type], [null, "integer"]);
});

test("a change that meets a row locked for too long is rolled back, and reports that it was interrupted", async () => {
  await using the = await world({
    config: { timeLimits: readTimeLimits({ query: 2.5, write: 2.5, job: 2.5 }) },
  });
  const key = await keeper(the);
  await make(key, BASE);
  await add(key, [{ a: "1", b: "12" }]);
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM store.dataset_row WHERE project_id = $1 FOR UPDATE", [the.project.id]);
  await change<Refused>(key, { columns: [A, { key: "b", type: "integer" }] }, 503);
  const { change: ended } = await bodyOf<{ change: { state: string; details: { code: string }[] } }>(
    await key.send("GET", "/api/datasets/things/"),
  );
  assert.deepEqual([ended.state, ended.details[0]?.code], ["failed", "interrupted"]);
  await holder.query("ROLLBACK");
  await holder.end();
  assert.equal(
    (await change(key, { columns: [A, { key: "b", type: "integer" }] })).columns[1]?.type,
    "integer",
  );
});
