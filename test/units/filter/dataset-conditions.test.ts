import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_PROJECT_SCHEMA } from "../../../src/domain/fields/project-schema.ts";
import { readFilter } from "../../../src/domain/filter/read/read-filter.ts";
import { measureFilter } from "../../../src/domain/filter/tree/measure-filter.ts";
import { statusOf } from "../../../src/http/response/status.ts";
import { STORED } from "../support/companies.ts";
import { refused } from "../support/refused.ts";

const asked = (where?: object, count?: object, key = "companies") => ({
  dataset: { key, ...(where === undefined ? {} : { where }), ...(count === undefined ? {} : { count }) },
});

const SCHEMA = {
  ...NO_PROJECT_SCHEMA,
  datasets: new Map([
    ["companies", STORED],
    ["loose", { ...STORED, key: "loose", lead_link: null }],
  ]),
};

test("a condition on a dataset that is wrong is refused with code and path", () => {
  const WRONG: [object, string, string][] = [
    [asked(undefined, undefined, "nope"), "unknown_dataset", "$.filter.dataset.key"],
    [asked(undefined, undefined, "a\0"), "unknown_dataset", "$.filter.dataset.key"],
    [asked(undefined, undefined, "loose"), "not_linked", "$.filter.dataset.key"],
    [{ dataset: "companies" }, "type", "$.filter.dataset"],
    [{ dataset: { where: {} } }, "required", "$.filter.dataset.key"],
    [{ dataset: { key: "companies", when: 1 } }, "unknown_key", "$.filter.dataset.when"],
    [asked({ field: "employes", op: "eq", value: 1 }), "unknown_field", "$.filter.dataset.where.field"],
    [
      asked({ field: "employees", op: "contains", value: 1 }),
      "unknown_operator",
      "$.filter.dataset.where.op",
    ],
    [
      asked({ and: [{ field: "tier", op: "in", value: ["gold", 1] }] }),
      "type",
      "$.filter.dataset.where.and[0].value[1]",
    ],
    [asked({ event: {} }), "unknown_form", "$.filter.dataset.where"],
    [asked(asked()), "unknown_form", "$.filter.dataset.where"],
    [asked(undefined, { op: "eq", value: -1 }), "range", "$.filter.dataset.count.value"],
    [{ or: Array(6).fill(asked()) }, "too_many_datasets", "$.filter.or[5]"],
    [{ event: { where: asked() } }, "unknown_form", "$.filter.event.where"],
  ];
  for (const [filter, code, path] of WRONG) {
    const refusal = refused(() => {
      measureFilter(filter);
      readFilter(filter, SCHEMA);
    });
    assert.deepEqual(
      [statusOf(refusal), refusal.code, refusal.message.split(": ")[0]],
      [400, code, path],
      JSON.stringify(filter),
    );
  }
});
