import assert from "node:assert/strict";
import { test } from "node:test";
import { readMapping } from "../../../src/domain/imports/mapping/mapping.ts";
import { statusOf } from "../../../src/http/response/status.ts";
import { refused } from "../support/refused.ts";

const columns = { external_id: "external_id" };

/** Mappings that PostgreSQL cannot store, and the path of the error. */
const UNSTORABLE: [object, string, string][] = [
  [{ columns, set: { name: "a\0b" } }, "$.set.name", "nul"],
  [{ columns, set: { name: "\ud83d" } }, "$.set.name", "lone_surrogate"],
  [
    { columns: { ...columns, name: { field: "name", values: { Bo: "\0" } } } },
    "$.columns.name.values.Bo",
    "nul",
  ],
  [
    { columns: { ...columns, name: { field: "name", values: { "B\0": "x" } } } },
    "$.columns.name.values",
    "nul",
  ],
  [{ columns, fields: { plan: { label: "\ud83d", type: "text" } } }, "$.fields.plan.label", "lone_surrogate"],
  [{ columns, skip_rows: "\0" }, "$.skip_rows", "nul"],
];

test("a mapping with a NUL or half a character is refused with the path to it", () => {
  for (const [mapping, path, code] of UNSTORABLE) {
    const refusal = refused(() => readMapping(mapping));
    assert.equal(statusOf(refusal), 400);
    assert.deepEqual(
      refusal.faults.map((each) => [each.path, each.code]),
      [[path, code]],
    );
  }
});

test("a mapping with an unknown key is refused", () => {
  assert.equal(refused(() => readMapping({ columns: { a: "name" }, colums: {} })).code, "unknown_key");
});
