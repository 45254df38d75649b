import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Filter, RowFilter } from "../../../src/contract/filters/filter.ts";
import { LEAD_FIELDS } from "../../../src/contract/lists/lead-fields.ts";
import { type FieldType, OPERATORS } from "../../../src/contract/lists/operators.ts";
import type { Field } from "../../../src/domain/fields/lead-field.ts";
import type { ProjectSchema } from "../../../src/domain/fields/project-schema.ts";
import { fieldFinder, rowFields } from "../../../src/domain/fields/row-field.ts";
import { readFilter, readRowFilter } from "../../../src/domain/filter/read/read-filter.ts";
import { measureFilter } from "../../../src/domain/filter/tree/measure-filter.ts";
import { STORED } from "../support/companies.ts";
import { HOSTILE_TEXTS } from "../support/hostile-texts.ts";
import { leaf, SAID } from "../support/said-filters.ts";
import { published } from "../support/schema-validator.ts";
import { LINKED, WRONG_DATASETS } from "../support/wrong-dataset-conditions.ts";
import { HOSTILE, WRONG } from "../support/wrong-filters.ts";

/** A custom field of each type that there is. */
const CUSTOM: FieldType[] = ["text", "email", "phone", "number", "boolean", "enum", "date"];

const PROJECT: ProjectSchema = {
  ...LINKED,
  defaultCountry: "BR",
  custom: new Map(
    CUSTOM.map((type) => {
      const field: Field = { name: `custom.${type}`, type, column: "custom" };
      return [type, { ...field, key: type, label: type, options: [] }];
    }),
  ),
  views: new Map([["view_1", { id: "view_1", name: "One" }]]),
};

/** The fields of an event with their types, and names that an event does not have. */
const EVENT_FIELDS: Readonly<Record<string, FieldType>> = {
  ...{ type: "text", source: "text", title: "text", "actor.type": "text", "actor.label": "text" },
  ...{ occurred_at: "date", recorded_at: "date", seconds_after_created: "number" },
  ...{ nope: "object", "data.": "object", "custom.text": "object" },
};

// Thousands of refusals are thrown here; their stacks would take most of the time.
Error.stackTraceLimit = 0;

const find = fieldFinder(rowFields(STORED), STORED.key);

/** Returns the code of the reader's refusal; undefined if it accepts. */
function refusal(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const read = (filter: unknown) =>
  refusal(() => {
    measureFilter(filter, "$.filter", PROJECT.views);
    readFilter(filter, PROJECT);
  });
const readRows = (filter: unknown) => refusal(() => readRowFilter(filter, PROJECT, find));

const { fits, wrongExamples } = published(Filter);
const { fits: rowsFit } = published(RowFilter);

/** What the schema cannot express, by the reader's code. */
const BEYOND: Readonly<Record<string, string>> = {
  too_deep: "it counts the groups of the whole filter",
  too_many_conditions: "it counts the whole filter",
  too_many_events: "it counts the whole filter",
  too_many_datasets: "it counts the whole filter",
  unknown_view: "it depends on the project",
  unknown_dataset: "it depends on the project",
  not_linked: "it depends on the project",
  not_a_phone: "it depends on the project's country and the numbering plans",
  nul: "a text may hold any other character, and patterns over all texts would slow clients down",
  lone_surrogate: "JSON as UTF-8 cannot hold one; the reader sees it through an escape",
};

/** Single filters that only the reader refuses, and why. */
const ONLY_READER: [unknown, string][] = [
  [leaf("custom.none", "eq", "x"), "it depends on the project"],
  [leaf("custom.__proto__", "eq", "x"), "it depends on the project"],
  [leaf("created_at", "before", "2026-02-30"), "a pattern does not know the calendar"],
  [WRONG_DATASETS.find(([, code]) => code === "unknown_field")?.[0], "it depends on the dataset's columns"],
];

const ONLY_READER_TEXTS = new Set(ONLY_READER.map(([filter]) => JSON.stringify(filter)));

/** A filter is accepted by both, or by neither, unless the schema cannot express what is wrong with it. */
function agree(filter: unknown): void {
  const code = read(filter);
  const accepted = fits(filter);
  if (code === undefined ? accepted : !accepted) return;
  const text = JSON.stringify(filter);
  const beyond = code !== undefined && (code in BEYOND || ONLY_READER_TEXTS.has(text));
  assert.ok(
    beyond && accepted,
    `the reader: ${code ?? "accepted"}, the schema: ${accepted}: ${text.slice(0, 300)}`,
  );
}

/** The filters in a page: its blocks of JSON, and what follows `filter` in its programs. */
function filtersOf(page: string): unknown[] {
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]) => JSON.parse(json));
  const asked = [...page.matchAll(/"?filter"?: ?(\{[^`\n]*?\})(?=,"exact"|\}'|, limit| \}\)|;)/g)];
  return [
    ...blocks,
    ...asked.map(([, code = ""]) => JSON.parse(code.replaceAll(/(\{ ?|, )(\w+):/g, '$1"$2":'))),
  ];
}

test("the schema and the reader accept the same of the filters in the documents and in the tests of the reader", () => {
  const documented = filtersOf(readFileSync("docs/leads-api.md", "utf8"));
  assert.ok(documented.length >= 8, `found ${documented.length} filters`);
  for (const filter of [...documented, ...SAID.map(([said]) => said), ...HOSTILE_TEXTS]) {
    assert.equal(read(filter), undefined, JSON.stringify(filter));
    agree(filter);
  }
  for (const [filter] of [...WRONG, ...WRONG_DATASETS]) agree(filter);
  // The largest would overflow the stack of a validator, which is why the reader measures before it recurses.
  for (const [text] of HOSTILE) if (text.length < 50_000) agree(JSON.parse(text));
});

const OPS = [...new Set(Object.values(OPERATORS).flat()), "like", "constructor", ""];

/** Values of every shape, right and wrong; undefined leaves the value out. */
const VALUES: unknown[] = [
  ...[undefined, null, true, 5, 1.5, "", "+5511912345678", "2026-03-31", "2026-03-31T14:30Z", "last_month"],
  ...["2026-03-31T14:30:00.123456+0100", "2026-03-31T14:30:00", "2026-03-31T24:00:00Z"],
  ...[{}, { n: 1, unit: "day" }, { n: 0, unit: "day" }, { n: 1.5, unit: "day" }, { n: 1, unit: "days" }],
  ...[
    { n: 1, unit: "day", more: 1 },
    [],
    [1],
    [1, 2],
    [1, 2, 3],
    [1, "a"],
    [null],
    ["a"],
    ["a", "b"],
    [true],
  ],
  ...[
    ["2026-01-01", "2026-01-31"],
    ["2026-01-01", 5],
    ["2026-01-01T00:00:00Z", "2026-01-31"],
  ],
];

const said = (field: string, op: string, value: unknown) =>
  value === undefined ? { field, op } : { field, op, value };

const SAMPLES = OPS.flatMap((op) => VALUES.map((value) => ({ op, value })));

/** The reader leaves it to surfaces whether to refuse fields of deleted leads, so old views are still answered. */
const ASKED = LEAD_FIELDS.filter(({ ofDeleted }) => ofDeleted !== true);

const ONE_OF_EACH_TYPE = new Map(ASKED.map(({ name, type }) => [type, name]));

/** Whatever the value: for operators that a field does not have. */
const FEW = [undefined, "a", 1, ["a"]];

test("the schema and the reader accept the same operators and values of each type of field", () => {
  const event = (where: object) => ({ event: { where } });
  for (const [type, name] of ONE_OF_EACH_TYPE) {
    const own: readonly string[] = OPERATORS[type];
    for (const op of OPS) for (const value of own.includes(op) ? VALUES : FEW) agree(said(name, op, value));
  }
  for (const [name, type] of Object.entries(EVENT_FIELDS)) {
    const own: readonly string[] = OPERATORS[type];
    for (const op of OPS)
      for (const value of own.includes(op) ? VALUES : FEW) agree(event(said(name, op, value)));
  }
});

test("the schema has each standard field under its type, and the reader's limits of values", () => {
  for (const { name } of [...ASKED, { name: "nome" }, { name: "search_text" }])
    for (const op of OPS) for (const value of FEW) agree(said(name, op, value));
  for (const most of [1_000, 1_001]) {
    agree(leaf("name", "eq", "x".repeat(most)));
    agree(leaf("name", "in", Array(most).fill("a")));
    agree(leaf("score", "in", Array(most).fill(1)));
    agree({ event: { count: { op: "eq", value: most * 1_000 } } });
    agree({ event: { type: Array(most - 900).fill("a.b") } });
    agree({ event: { where: leaf(`data.${"x".repeat(most - 805)}`, "eq", 1) } });
  }
});

test("the schema accepts what the reader accepts of fields whose type it does not know", () => {
  for (const { op, value } of SAMPLES) {
    const filters = [
      ...CUSTOM.map((type) => said(`custom.${type}`, op, value)),
      { event: { where: said("data.link", op, value) } },
    ];
    for (const filter of filters)
      if (read(filter) === undefined) assert.ok(fits(filter), JSON.stringify(filter));
    for (const { key } of STORED.columns) {
      const filter = said(key, op, value);
      if (readRows(filter) === undefined) assert.ok(rowsFit(filter), JSON.stringify(filter));
    }
  }
});

test("the schema and the reader accept the same occurred, count, type and pick", () => {
  for (const { op, value } of SAMPLES) {
    agree({ event: { occurred: said("", op, value) } });
    const { field: _, ...test } = said("", op, value);
    agree({ event: { occurred: test } });
    agree({ event: { count: test } });
    agree({ dataset: { key: "companies", count: test } });
  }
  for (const value of [...VALUES.slice(1), ".*", "a.*", "*", "a*", "..*", "a b", "any", "first", "last"]) {
    agree({ event: { type: value } });
    agree({ event: { pick: value } });
    agree({ event: { where: value } });
    agree({ view: value });
    agree({ not: value });
    agree({ and: value });
    agree(value);
  }
});

test("a filter of rows has no parts of a filter of leads", () => {
  for (const filter of [
    { view: "view_1" },
    { event: {} },
    { dataset: { key: "companies" } },
    { and: [{ event: {} }] },
  ])
    assert.deepEqual([readRows(filter), rowsFit(filter)], ["unknown_form", false]);
  assert.equal(rowsFit({ not: { or: [leaf("employees", "gt", 1)] } }), true);
});

test("the examples of filters fit their schemas", () => {
  assert.deepEqual(wrongExamples(), []);
});
