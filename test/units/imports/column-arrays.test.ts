import assert from "node:assert/strict";
import { test } from "node:test";
import { type ArrayColumn, columnArrays } from "../../../src/domain/sql/column-arrays.ts";

test("rows become one array for each column, in PostgreSQL's text format", () => {
  const columns: readonly ArrayColumn<readonly unknown[]>[] = [
    ["name", "text", ([name]) => name],
    ["score", "double precision", ([, score]) => score],
    ["open", "boolean", ([, , open]) => open],
    ["tags", "text[]", ([, , , tags]) => tags],
    ["custom", "jsonb", ([, , , , custom]) => custom],
  ];
  assert.deepEqual(columnArrays(columns, []).values, ["{}", "{}", "{}", "{}", "{}"]);
  const rows = columnArrays(columns, [
    ['He said "\\o/"', 1.5, true, ["a", 'b"{,}\\', "NULL"], '{"a":"b"}'],
    [null, null, undefined, [], null],
    ["NULL", -0, false, null, "{}"],
    ["", 1, true, ["", null], "{}"],
  ]);
  assert.equal(rows.count, 4);
  assert.deepEqual(rows.values, [
    String.raw`{"He said \"\\o/\"",NULL,"NULL",""}`,
    "{1.5,NULL,0,1}",
    "{true,NULL,false,true}",
    String.raw`{"{\"a\",\"b\\\"{,}\\\\\",\"NULL\"}","{}",NULL,"{\"\",NULL}"}`,
    String.raw`{"{\"a\":\"b\"}",NULL,"{}","{}"}`,
  ]);
  assert.equal(
    rows.sql(4),
    "(SELECT name, score, open, tags::text[] AS tags, custom::jsonb AS custom FROM unnest($4::text[], $5::double precision[], $6::boolean[], $7::text[], $8::text[]) AS given (name, score, open, tags, custom))",
  );
});
