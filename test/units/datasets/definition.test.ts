import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatasetInput } from "../../../src/contract/datasets/datasets.ts";
import { malformed } from "../../../src/core/refusal.ts";
import { createDataset } from "../../../src/domain/datasets/create-dataset.ts";
import { checkDefinition } from "../../../src/domain/datasets/definition/check-definition.ts";
import { refused } from "../support/refused.ts";

const one = { key: "a", type: "text" };
/** Inconsistent definitions, and the path of the error. */
const WRONG: [object, string, string][] = [
  [{ columns: [one] }, "$.key", "required"],
  [{ key: "A b", columns: [one] }, "$.key", "bad_format"],
  [{ key: "ds_x", columns: [one] }, "$.key", "reserved"],
  [{ key: "x", columns: [] }, "$.columns", "too_few"],
  [
    { key: "x", columns: Array.from({ length: 201 }, (_, n) => ({ key: `c${n}`, type: "text" })) },
    "$.columns",
    "too_many",
  ],
  [{ key: "x", columns: [one, one] }, "$.columns[1].key", "repeated"],
  [{ key: "x", columns: [{ key: "_id", type: "text" }] }, "$.columns[0].key", "bad_format"],
  [{ key: "x", columns: [{ key: "project_id", type: "text" }] }, "$.columns[0].key", "reserved"],
  [{ key: "x", columns: [{ key: "a", type: "money" }] }, "$.columns[0].type", "one_of"],
  [{ key: "x", columns: [{ key: "a", type: "enum" }] }, "$.columns[0].options", "required"],
  [
    { key: "x", columns: [{ key: "a", type: "enum", options: ["a", "a"] }] },
    "$.columns[0].options",
    "repeated",
  ],
  [{ key: "x", columns: [{ key: "a", type: "enum", options: ["a\0"] }] }, "$.columns[0].options[0]", "nul"],
  [{ key: "x", columns: [{ ...one, options: ["a"] }] }, "$.columns[0].options", "unexpected"],
  [{ key: "x", columns: [{ ...one, label: "\ud800" }] }, "$.columns[0].label", "lone_surrogate"],
  [{ key: "x", columns: [{ key: "a", type: "json", unique: true }] }, "$.columns[0].unique", "not_unique"],
  [{ key: "x", columns: [{ ...one, requierd: true }] }, "$.columns[0].requierd", "unknown_key"],
  [{ key: "x", columns: [one], key_column: "b" }, "$.key_column", "unknown_column"],
  [{ key: "x", columns: [{ key: "a", type: "boolean" }], key_column: "a" }, "$.key_column", "not_unique"],
  [
    { key: "x", columns: [one], lead_link: { column: "b", match: "email" } },
    "$.lead_link.column",
    "unknown_column",
  ],
  [{ key: "x", columns: [one], lead_link: { column: "a", match: "phone" } }, "$.lead_link.column", "type"],
  [{ key: "x", columns: [one], lead_link: { column: "a", match: "name" } }, "$.lead_link.match", "one_of"],
  [{ key: "x", name: " ", columns: [one] }, "$.name", "required"],
];

/** Checks a definition like creating a dataset does: its shape, then what a schema cannot express. */
function check(definition: object): void {
  const faults = createDataset.faults(definition);
  if (faults.length > 0) throw malformed(faults);
  checkDefinition(definition as DatasetInput);
}

test("a definition that does not hold together is refused with code and path", () => {
  for (const [definition, path, code] of WRONG) {
    const { faults } = refused(() => check(definition));
    assert.deepEqual([faults[0]?.path, faults[0]?.code], [path, code]);
  }
});
