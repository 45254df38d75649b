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

test("rows of a parameter are not sent as a part of their own: what reads them gets the parameter", async () => {
  const rows = "SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (id text, x text)";
  const text = `WITH given AS MATERIALIZED (${rows}), held AS MATERIALIZED (SELECT t.id, g.x FROM t JOIN given g USING (id)
      WHERE project_id = $1 FOR UPDATE), added AS (INSERT INTO u (id, x) SELECT id, $3 FROM given)
    SELECT held.id, given.x FROM held JOIN given USING (id)`;
  const sent = (steps: Steps) => steps.next().map(({ text, values }) => [text.replace(/\s+/g, " "), values]);
  const given = (place: number) => `WITH given AS NOT MATERIALIZED (${rows.replace("$2", `$${place}`)})`;
  const [one, two] = ['[{"id":"a"}]', '[{"id":"a"},{"id":"b"}]'];
  const held = `${given(2)} SELECT t.id, g.x FROM t JOIN given g USING (id) WHERE project_id = $1 FOR UPDATE`;

  const single = stepsOf(text, "p", one, "y");
  assert.deepEqual(sent(single), [
    [held, ["p", one]],
    [`${given(2)} SELECT id, $1 FROM given`, ["y", one]],
  ]);
  await single.take([raw({ id: 25, x: 25 }, ["a", null]), raw({ id: 25, x: 25 }, ["a", "y"])], nameTypes);
  assert.deepEqual(sent(single), [
    ["INSERT INTO u (id, x) VALUES ($1, $2) ", ["a", "y"]],
    [
      `${given(1)}, held AS NOT MATERIALIZED (SELECT "id", "x" FROM json_to_recordset($2::json) AS carried ("id" text, "x" text)) SELECT held.id, given.x FROM held JOIN given USING (id)`,
      [one, '[{"id":"a","x":null}]'],
    ],
  ]);
  assert.equal(single.isLast, true);

  const several = stepsOf(text, "p", two, "y");
  assert.deepEqual(sent(several), [
    [held, ["p", two]],
    [`${given(2)} INSERT INTO u (id, x) SELECT id, $1 FROM given`, ["y", two]],
  ]);
});

test("a part that asks more of the rows of a parameter is sent", () => {
  const steps = stepsOf(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS g (id text) WHERE NOT EXISTS (SELECT FROM t)),
      added AS (INSERT INTO u (id) SELECT id FROM given) SELECT count(*) FROM added`,
    "[]",
  );
  assert.deepEqual(
    steps.next().map(({ text }) => /NOT EXISTS/.test(text)),
    [true],
  );
});
