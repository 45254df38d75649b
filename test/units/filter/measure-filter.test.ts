import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../../../src/core/refusal.ts";
import { measureFilter } from "../../../src/domain/filter/tree/measure-filter.ts";

const equal = { field: "name", op: "eq", value: "Ana" };
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const nested = (count: number, inside: unknown): unknown =>
  count === 0 ? inside : { not: nested(count - 1, inside) };
const wheres: readonly [name: string, around: (where: unknown) => unknown][] = [
  ["event", (where) => ({ event: { type: "call.made", where } })],
  ["dataset", (where) => ({ dataset: { key: "orders", where } })],
];

const codeOf = (filter: unknown): string | undefined => {
  try {
    measureFilter(filter);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return `${error.faults?.[0]?.path} ${error.faults?.[0]?.code}`;
  }
};

for (const [name, around] of wheres) {
  test(`what a condition on ${name}s asks of each counts among the filter's conditions and levels`, () => {
    assert.equal(codeOf(around({ and: times(99, equal) })), undefined);
    assert.equal(codeOf(around({ and: times(100, equal) })), "$.filter too_many_conditions");
    assert.equal(codeOf(around(nested(7, equal))), undefined);
    assert.equal(codeOf(around(nested(8, equal))), `$.filter.${name}.where${".not".repeat(7)} too_deep`);
  });
}

test("parts of a filter that are no objects are left to the reader of conditions", () => {
  for (const filter of [
    null,
    7,
    "x",
    [],
    {},
    { event: null },
    { event: 7 },
    { dataset: null },
    { dataset: [] },
  ])
    assert.equal(codeOf(filter), undefined, JSON.stringify(filter));
});

test("a filter has at most ten conditions on events and five on datasets", () => {
  const of = (count: number, one: unknown) => codeOf({ or: times(count, one) });
  assert.equal(of(10, { event: { type: "call.made" } }), undefined);
  assert.equal(of(11, { event: { type: "call.made" } }), "$.filter.or[10] too_many_events");
  assert.equal(of(5, { dataset: { key: "orders" } }), undefined);
  assert.equal(of(6, { dataset: { key: "orders" } }), "$.filter.or[5] too_many_datasets");
});
