import assert from "node:assert/strict";
import { test } from "node:test";
import { blanked, partsOf } from "../../../src/db/statements/parts.ts";

test("a write of several parts is split, and each part knows which ones it reads", () => {
  const parts = partsOf(`WITH given (id, x) AS MATERIALIZED (
      SELECT ')' AS id, f(')', $1) -- given, (
    ), made AS (INSERT INTO t SELECT id FROM given RETURNING *
    ) , told AS NOT MATERIALIZED (SELECT 1 WHERE EXISTS (SELECT FROM made) /* given ( */)
    SELECT * FROM told`);
  assert.deepEqual(
    parts?.map(({ name, columns, writes, reads }) => [name, columns, writes, reads]),
    [
      ["given", ["id", "x"], false, []],
      ["made", undefined, true, ["given"]],
      ["told", undefined, false, ["made"]],
      ["", undefined, false, ["told"]],
    ],
  );
  assert.match(parts?.[1]?.text ?? "", /^INSERT INTO t SELECT id FROM given RETURNING \*\s*$/);
  assert.match(parts?.[3]?.text ?? "", /^\s*SELECT \* FROM told$/);
});

test("what only reads, and what is one part, stays one statement", () => {
  for (const text of [
    "SELECT 1",
    "INSERT INTO t VALUES ($1)",
    "WITH a AS (SELECT 1) SELECT * FROM a",
    "WITH RECURSIVE a AS (SELECT 1), b AS (DELETE FROM t RETURNING *) SELECT * FROM a",
  ])
    assert.equal(partsOf(text), undefined, text);
  assert.equal(partsOf("WITH a AS (SELECT 1) UPDATE t SET x = 1 FROM a")?.length, 2);
});

test("strings, quoted names and comments are blank, whatever they contain", () => {
  for (const quoted of [
    "'it''s ('",
    String.raw`E'it\'s ('`,
    '"a ""(""  b"',
    "$$ ( $$",
    "$x$ ($$ $x$",
    "/* ( */",
    "-- (",
  ])
    assert.equal(blanked(`a ${quoted}\nb`), `a ${" ".repeat(quoted.length)}\nb`);
  assert.equal(blanked("a $1 b $2::text[]"), "a $1 b $2::text[]");
});

test("an INSERT … SELECT has a head, a SELECT and a tail, unless its tail reads other parts", () => {
  const insert = (text: string) =>
    partsOf(`WITH a AS (SELECT 1), b AS (${text}) SELECT * FROM b`)?.[1]?.insert;
  assert.deepEqual(
    insert("INSERT INTO t (x, y) SELECT 1, (SELECT max(z) FROM a) ON CONFLICT (x) DO NOTHING RETURNING *"),
    {
      head: "INSERT INTO t (x, y)",
      select: " SELECT 1, (SELECT max(z) FROM a) ",
      tail: "ON CONFLICT (x) DO NOTHING RETURNING *",
    },
  );
  assert.equal(insert("INSERT INTO t (x) SELECT z FROM a")?.tail, "");
  for (const other of [
    "INSERT INTO t (x) VALUES (1)",
    "INSERT INTO t SELECT 1",
    "UPDATE t SET x = 1",
    "INSERT INTO t (x) SELECT 1 ON CONFLICT (x) DO UPDATE SET x = (SELECT z FROM a)",
  ])
    assert.equal(insert(other), undefined, other);
});
