import assert from "node:assert/strict";
import { test } from "node:test";
import { readFilter } from "../../../web/src/filter/model/read-filter.ts";
import { unknownOptions } from "../../../web/src/filter/model/unknown-options.ts";

const FIELDS = [
  { name: "status", label: "Status", type: "enum" as const, options: ["new", "won"] },
  { name: "custom.size", label: "Size", type: "enum" as const, options: ["Médio"] },
  { name: "name", label: "Name", type: "text" as const, options: null },
];

test("a filter's values that are no option are found in any group, as the service compares them", () => {
  const filter = {
    and: [
      { field: "status", op: "in", value: ["WON", "gone", "gone"] },
      {
        not: {
          or: [
            { field: "custom.size", op: "neq", value: "medio" },
            { field: "custom.size", op: "eq", value: "G" },
          ],
        },
      },
      { field: "name", op: "eq", value: "gone" },
      { field: "status", op: "is_empty" },
      { field: "custom.removed", op: "eq", value: "x" },
    ],
  };
  assert.deepEqual(unknownOptions(readFilter(filter), FIELDS), [
    { label: "Status", value: "gone" },
    { label: "Size", value: "G" },
  ]);
});
