export const leaf = { field: "name", op: "eq", value: "x" };
export const nested = (depth: number): object => (depth === 0 ? leaf : { and: [nested(depth - 1)] });

/** Invalid filters: the filter, the code, and how the detail starts. */
export const WRONG: [unknown, string, string][] = [
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

const text = (n: number) => `${'{"not":'.repeat(n)}{"and":[]}${"}".repeat(n)}`;

/** Hostile filters as text, and the code. */
export const HOSTILE: [string, string][] = [
  [text(9), "too_deep"],
  [text(10_000), "too_deep"],
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
