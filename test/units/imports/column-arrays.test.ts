import assert from "node:assert/strict";
import { test } from "node:test";
import { ColumnArrays } from "../../../src/domain/sql/column-arrays.ts";

test("rows become one array for each column, in PostgreSQL's text format", () => {
  const rows = new ColumnArrays([
    ["name", "text"],
    ["score", "double precision"],
    ["open", "boolean"],
    ["tags", "text[]"],
    ["custom", "jsonb"],
  ]);
  assert.deepEqual(rows.values, ["{}", "{}", "{}", "{}", "{}"]);
  rows.add(['He said "\\o/"', 1.5, true, ["a", 'b"{,}\\', "NULL"], '{"a":"b"}']);
  rows.add([null, null, undefined, [], null]);
  rows.add(["NULL", -0, false, null, "{}"]);
  assert.equal(rows.count, 3);
  assert.deepEqual(rows.values, [
    String.raw`{"He said \"\\o/\"",NULL,"NULL"}`,
    "{1.5,NULL,0}",
    "{true,NULL,false}",
    String.raw`{"{\"a\",\"b\\\"{,}\\\\\",\"NULL\"}","{}",NULL}`,
    String.raw`{"{\"a\":\"b\"}",NULL,"{}"}`,
  ]);
  assert.equal(
    rows.sql(4),
    "(SELECT name, score, open, tags::text[] AS tags, custom::jsonb AS custom FROM unnest($4::text[], $5::double precision[], $6::boolean[], $7::text[], $8::text[]) AS given (name, score, open, tags, custom))",
  );
});
