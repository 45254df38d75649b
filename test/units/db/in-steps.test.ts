import assert from "node:assert/strict";
import { test } from "node:test";
import { Steps } from "../../../src/db/statements/in-steps.ts";
import { partsOf } from "../../../src/db/statements/parts.ts";
import type { Row } from "../../../src/db/wire/statement-batch.ts";

const TYPES = new Map([
  [25, "text"],
  [3802, "jsonb"],
]);
const nameTypes = async () => TYPES;
const raw = (columns: Record<string, number>, ...rows: (string | null)[][]): Row[] => [
  {
    fields: Object.entries(columns).map(([name, dataTypeID]) => ({ name, dataTypeID, format: "text" })),
    rows,
  },
];
const stepsOf = (text: string, ...values: unknown[]) => {
  const parts = partsOf(text);
  assert.ok(parts !== undefined);
  return new Steps(parts, values);
};

test("parts that need nothing from each other go in one message, and a single row is inserted with its values", async () => {
  const steps = stepsOf(
    `WITH changed AS (UPDATE t SET x = $2 WHERE id = $1 RETURNING id, data), told AS (
       INSERT INTO u (id, x, data) SELECT id, $3, data FROM changed
     ), noted AS (INSERT INTO v (id) SELECT id FROM changed WHERE data IS NULL) SELECT id FROM changed`,
    ...["one", "two", "three"],
  );
  const first = steps.next();
  assert.deepEqual(
    first.map(({ text, values }) => [text, values]),
    [["UPDATE t SET x = $1 WHERE id = $2 RETURNING id, data", ["two", "one"]]],
  );
  assert.equal(steps.isLast, false);
  await steps.take([raw({ id: 25, data: 3802 }, ["one", '{"a": 1}'])], nameTypes);

  const second = steps.next();
  const carried = (place: number) =>
    `WITH changed AS NOT MATERIALIZED (SELECT "id", "data" FROM json_to_recordset($${place}::json) AS carried ("id" text, "data" jsonb))`;
  const json = '[{"id":"one","data":{"a": 1}}]';
  assert.deepEqual(
    second.map(({ text, values }) => [text.replace(/\s+/g, " ").trim(), values]),
    [
      [`${carried(2)} SELECT id, $1, data FROM changed`, ["three", json]],
      [`${carried(1)} SELECT id FROM changed WHERE data IS NULL`, [json]],
      [`${carried(1)} SELECT id FROM changed`, [json]],
    ],
  );
  assert.equal(steps.isLast, false);
  await steps.take(
    [raw({ id: 25, x: 25, data: 3802 }, ["one", "three", '{"a": 1}']), raw({ id: 25 }), [{ id: "one" }]],
    nameTypes,
  );

  assert.deepEqual(
    steps.next().map(({ text, values }) => [text.trim(), values]),
    [["INSERT INTO u (id, x, data) VALUES ($1, $2, $3)", ["one", "three", '{"a": 1}']]],
  );
  assert.equal(steps.isLast, true);
  await steps.take([raw({})], nameTypes);
  assert.deepEqual(steps.rows, [{ id: "one" }]);
  assert.deepEqual(steps.next(), []);
  assert.equal(steps.isLast, true);
});

test("writes and locks keep their order, and what only reads comes before them", async () => {
  const steps = stepsOf(
    `WITH locked AS (SELECT id FROM t WHERE id = $1 FOR UPDATE), gone AS (
       DELETE FROM u WHERE id IN (SELECT id FROM locked)
     ), added AS (INSERT INTO v (id) VALUES ($1)), seen AS (SELECT id FROM w) SELECT id FROM seen, locked`,
    "one",
  );
  const sent = () =>
    steps.next().map(({ text }) => /(?:FOR UPDATE|DELETE|INSERT|FROM w|FROM seen)/.exec(text)?.[0]);
  assert.deepEqual(sent(), ["FOR UPDATE", "FROM w"]);
  await steps.take([raw({ id: 25 }, ["one"]), raw({ id: 25 })], nameTypes);
  assert.deepEqual(sent(), ["DELETE", "INSERT", "FROM seen"]);
  assert.equal(steps.isLast, true);
});

test("several rows are left to INSERT … SELECT, and what reads an INSERT has its columns also without rows", async () => {
  const text = `WITH made AS (INSERT INTO t (id) SELECT id FROM unnest($1::text[]) AS id RETURNING id),
    told AS (INSERT INTO u (id) SELECT id FROM made) SELECT count(*) FROM made`;
  for (const ids of [[["a"], ["b"]], []]) {
    const steps = stepsOf(text, ["a", "b"]);
    assert.match(steps.next()[0]?.text ?? "", /^\s*SELECT id FROM unnest/);
    await steps.take([raw({ id: 25 }, ...ids)], nameTypes);
    const messages = steps.next();
    assert.equal(messages.length, 1);
    assert.match(messages[0]?.text ?? "", /^INSERT INTO t \(id\) SELECT id FROM unnest/);
    await steps.take([raw({ id: 25 }, ...ids)], nameTypes);
    assert.equal(steps.next().length, 2);
  }
});
