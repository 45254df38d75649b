import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_PROJECT_SCHEMA, type SavedView } from "../../../src/domain/fields/project-schema.ts";
import { readFilter } from "../../../src/domain/filter/read/read-filter.ts";
import { measureFilter } from "../../../src/domain/filter/tree/measure-filter.ts";
import { statusOf } from "../../../src/http/response/status.ts";
import { refused } from "../support/refused.ts";
import { HOSTILE, leaf, nested, WRONG } from "../support/wrong-filters.ts";

/** Measures a filter and reads it, as every query does; `views` are the saved ones. */
function read(filter: unknown, views: readonly SavedView[] = []): void {
  const schema = { ...NO_PROJECT_SCHEMA, views: new Map(views.map((view) => [view.id, view])) };
  measureFilter(filter, "$.filter", schema.views);
  readFilter(filter, schema);
}

test("a wrong filter is refused with its code and path", () => {
  for (const [filter, code, path] of WRONG) {
    const refusal = refused(() => read(filter));
    assert.deepEqual([statusOf(refusal), refusal.code], [400, code], JSON.stringify(filter));
    assert.ok(refusal.message.startsWith(path), refusal.message);
  }
  read(nested(8));
  read({ or: Array(100).fill(leaf) });
});

test("every fault of a filter is listed with its path", () => {
  const wrong = {
    and: [
      { field: "nome", op: "eq", value: "x" },
      { field: "score", op: "in", value: [1, "2", null] },
      {
        event: {
          type: "a b",
          occurred: { op: "eq", value: "now" },
          count: { op: "gte", value: -1 },
          whre: {},
        },
      },
      { view: "view_none" },
      { dataset: { key: "companies" } },
    ],
  };
  assert.deepEqual(
    refused(() => read(wrong)).faults.map(({ path, code }) => `${path} ${code}`),
    [
      "$.filter.and[0].field unknown_field",
      "$.filter.and[1].value[1] type",
      "$.filter.and[1].value[2] type",
      "$.filter.and[2].event.whre unknown_key",
      "$.filter.and[2].event.occurred.value bad_date",
      "$.filter.and[2].event.type bad_event_type",
      "$.filter.and[2].event.count.value range",
      "$.filter.and[3].view unknown_view",
      "$.filter.and[4].dataset.key unknown_dataset",
    ],
  );
});

test("a hostile filter is refused with a code", () => {
  for (const [filter, code] of HOSTILE) {
    const refusal = refused(() => read(JSON.parse(filter)));
    assert.deepEqual([statusOf(refusal), refusal.code], [400, code], filter.slice(0, 100));
  }
});

test("a view that contains itself, no longer fits or makes the filter too large is refused at its place", () => {
  const view = (id: string, filter: object): SavedView => ({ id, name: id, filter });
  const views = [
    view("view_inner", { field: "name", op: "contains", value: "ana" }),
    view("view_circle", { or: [{ view: "view_circle" }, { view: "view_inner" }] }),
    view("view_broken", { field: "custom.gone", op: "eq", value: 1 }),
    view("view_deep", { not: { not: { not: { not: leaf } } } }),
    view("view_wide", { or: Array(60).fill(leaf) }),
  ];
  const told = (filter: object) => {
    const refusal = refused(() => read(filter, views));
    return [statusOf(refusal), refusal.code, refusal.message.split(":")[0]];
  };
  assert.deepEqual(told({ not: { view: "view_circle" } }), [
    400,
    "view_in_itself",
    "$.filter.not.view.or[0].view",
  ]);
  assert.deepEqual(told({ view: "view_broken" }), [400, "broken_view", "$.filter.view"]);
  assert.deepEqual(told({ view: "view_foreign" }), [400, "unknown_view", "$.filter.view"]);
  assert.deepEqual(told({ not: { not: { not: { not: { view: "view_deep" } } } } })[1], "too_deep");
  assert.deepEqual(told({ or: [{ view: "view_wide" }, { view: "view_wide" }] })[1], "too_many_conditions");
});
