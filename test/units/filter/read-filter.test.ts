import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_PROJECT_SCHEMA, type SavedView } from "../../../src/domain/fields/project-schema.ts";
import { readFilter } from "../../../src/domain/filter/read/read-filter.ts";
import { measureFilter } from "../../../src/domain/filter/tree/measure-filter.ts";
import { statusOf } from "../../../src/http/response/status.ts";
import { refused } from "../support/refused.ts";

const leaf = { field: "name", op: "eq", value: "x" };
const nested = (depth: number): object => (depth === 0 ? leaf : { and: [nested(depth - 1)] });

/** Invalid filters: the filter, the code, and how the detail starts. */
const WRONG: [unknown, string, string][] = [
  [{ field: "nome", op: "eq", value: "x" }, "unknown_field", "$.filter.field"],
  [{ field: "custom.none", op: "eq", value: "x" }, "unknown_field", "$.filter.field"],
  [{ field: "search_text", op: "contains", value: "x" }, "unknown_field", "$.filter.field"],
  [{ field: "name", op: "like", value: "x" }, "unknown_operator", "$.filter.op"],
  [{ field: "name", op: "constructor", value: "x" }, "unknown_operator", "$.filter.op"],
  [{ and: [leaf, { field: "score", op: "gte", value: "10" }] }, "type", "$.filter.and[1].value"],
  [{ or: [{ not: { field: "score", op: "in", value: [1, null] } }] }, "type", "$.filter.or[0].not.value[1]"],
  [{ field: "do_not_contact", op: "eq", value: "true" }, "type", "$.filter.value"],
  [{ field: "name", op: "eq" }, "required", "$.filter.value"],
  [{ field: "name", op: "is_empty", value: 1 }, "unexpected_value", "$.filter.value"],
  [{ field: "name", op: "eq", value: "a\0b" }, "nul", "$.filter.value"],
  [{ field: "tags", op: "has_any", value: ["ok", "\ud800"] }, "lone_surrogate", "$.filter.value[1]"],
  [{ ...leaf, extra: 1 }, "unknown_key", "$.filter.extra"],
  [{ and: [], or: [] }, "unknown_form", "$.filter"],
  [{ view: "view_1" }, "unknown_view", "$.filter.view"],
  [{ not: { view: "view_\0" } }, "unknown_view", "$.filter.not.view"],
  [{ and: leaf }, "type", "$.filter.and"],
  [{}, "unknown_form", "$.filter"],
  [[leaf], "unknown_form", "$.filter"],
  [null, "unknown_form", "$.filter"],
  ["name", "unknown_form", "$.filter"],
  [nested(9), "too_deep", "$.filter"],
  [{ or: Array(101).fill(leaf) }, "too_many_conditions", "$.filter"],
  [{ field: "score", op: "in", value: Array(1_001).fill(1) }, "too_many_values", "$.filter.value"],
  ...[
    "infinity",
    "now",
    "2026-02-30",
    "0044-03-15 BC",
    "2026-01-01T00:00:00",
    "2026-01-01T25:00:00Z",
    "2026-1-1",
    5,
  ].map((value): [unknown, string, string] => [
    { field: "created_at", op: "before", value },
    "bad_date",
    "$.filter.value",
  ]),
  [{ field: "created_at", op: "in_last", value: { n: 0, unit: "day" } }, "range", "$.filter.value.n"],
  [{ field: "created_at", op: "in_last", value: { n: 1e9, unit: "year" } }, "range", "$.filter.value.n"],
  [
    { field: "created_at", op: "in_last", value: { n: 1, unit: "eon" } },
    "unknown_unit",
    "$.filter.value.unit",
  ],
  [{ field: "created_at", op: "in_period", value: "last_decade" }, "unknown_period", "$.filter.value"],
];

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
  const nested = (n: number) => `${'{"not":'.repeat(n)}{"and":[]}${"}".repeat(n)}`;
  const bodies: [string, string][] = [
    [nested(9), "too_deep"],
    [nested(10_000), "too_deep"],
    [`{"or":[${Array(30_000).fill("{}").join(",")}]}`, "too_many_conditions"],
    [`{"or":[${Array(2_000).fill('{"not":{"and":[]}}').join(",")}]}`, "too_many_conditions"],
    [`{"or":[${Array(11).fill('{"event":{}}').join(",")}]}`, "too_many_events"],
    ['{"__proto__":{"field":"name","op":"eq","value":"x"}}', "unknown_form"],
    ['{"field":"name","op":"eq","value":"x","__proto__":{}}', "unknown_key"],
    ['{"field":"__proto__","op":"eq","value":"x"}', "unknown_field"],
    ['{"field":"custom.__proto__","op":"eq","value":"x"}', "unknown_field"],
    ['{"field":"score","op":"eq","value":1e999}', "type"],
    ['{"event":{"where":{"event":{}}}}', "unknown_form"],
    ['{"event":{"where":{"view":"view_x"}}}', "unknown_form"],
    ['{"event":{"where":{"field":"data.\\u0000","op":"eq","value":"x"}}}', "nul"],
    ['{"event":{"type":"\\ud800"}}', "lone_surrogate"],
    ['{"event":{"type":[]}}', "required"],
    ['{"event":[]}', "type"],
    ['{"event":{"count":{"op":"gte","value":1.5}}}', "range"],
    ['{"event":{"pick":"constructor"}}', "unknown_pick"],
    ['{"view":7}', "type"],
    ['{"dataset":{"key":"x"}}', "unknown_dataset"],
  ];
  for (const [filter, code] of bodies) {
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
