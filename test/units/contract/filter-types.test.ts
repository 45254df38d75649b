import assert from "node:assert/strict";
import { test } from "node:test";
import { Filter } from "../../../src/contract/filters/filter.ts";
import { published } from "../support/schema-validator.ts";

/** Filters that compile, one for each form. */
const RIGHT: Filter[] = [
  { and: [{ or: [] }, { not: { view: "view_1" } }] },
  { field: "name", op: "contains", value: "ana" },
  { field: "email", op: "domain_in", value: ["example.org"] },
  { field: "phone", op: "eq", value: "+5511912345678" },
  { field: "score", op: "between", value: [1, 2] },
  { field: "do_not_contact", op: "eq", value: true },
  { field: "status", op: "in", value: ["new"] },
  { field: "owner_id", op: "neq", value: "person_1" },
  { field: "tags", op: "has_none", value: ["vip"] },
  { field: "created_at", op: "in_last", value: { n: 30, unit: "day" } },
  { field: "created_at", op: "in_period", value: "last_month" },
  { field: "company", op: "is_empty" },
  { field: "custom", op: "is_not_empty" },
  { field: "custom.whatever", op: "eq", value: 1 },
  { event: {} },
  { event: { type: "email.*", where: { not: { field: "data.link", op: "gt", value: 3 } }, pick: "last" } },
  {
    event: { occurred: { op: "not_in_last", value: { n: 6, unit: "month" } }, count: { op: "eq", value: 0 } },
  },
  { dataset: { key: "companies", where: { and: [{ field: "employees", op: "gt", value: 1 }] } } },
];

/** Filters with a mistake; each of them must not compile. */
const WRONG: Filter[] = [
  // @ts-expect-error: a field that leads do not have
  { field: "compny", op: "eq", value: "Acme" },
  // @ts-expect-error: neither standard nor custom
  { field: "customer.plan", op: "eq", value: "gold" },
  // @ts-expect-error: no operator
  { field: "name", op: "contians", value: "ana" },
  // @ts-expect-error: an operator of another type
  { field: "name", op: "gte", value: "ana" },
  // @ts-expect-error: an operator of e-mail addresses
  { field: "company", op: "domain_in", value: ["example.org"] },
  // @ts-expect-error: no operator, nor for custom fields
  { field: "custom.plan", op: "equals", value: "gold" },
  // @ts-expect-error: one value instead of a list
  { field: "status", op: "in", value: "new" },
  // @ts-expect-error: a list instead of one value
  { field: "status", op: "eq", value: ["new"] },
  // @ts-expect-error: a number as text
  { field: "score", op: "gte", value: "50" },
  // @ts-expect-error: no value
  { field: "name", op: "eq" },
  // @ts-expect-error: a value too many
  { field: "name", op: "is_empty", value: true },
  // @ts-expect-error: no unit
  { field: "created_at", op: "in_last", value: { n: 30, unit: "days" } },
  // @ts-expect-error: no period
  { field: "created_at", op: "in_period", value: "last_decade" },
  // @ts-expect-error: a group without a list
  { and: { field: "company", op: "is_empty" } },
  // @ts-expect-error: a mistake inside groups
  { not: { or: [{ and: [{ field: "nmae", op: "is_empty" }] }] } },
  // @ts-expect-error: an unknown part of an event
  { event: { typ: "email.opened" } },
  // @ts-expect-error: a field of leads inside an event
  { event: { where: { field: "company", op: "eq", value: "Acme" } } },
  // @ts-expect-error: no pick
  { event: { pick: "newest" } },
  // @ts-expect-error: no operator for counts
  { event: { count: { op: "atleast", value: 1 } } },
  // @ts-expect-error: no key
  { dataset: { where: { field: "employees", op: "gt", value: 1 } } },
  // @ts-expect-error: an event inside a dataset
  { dataset: { key: "companies", where: { event: {} } } },
];

test("filters that compile fit the schema, and those with a mistake do neither", () => {
  const { fits } = published(Filter);
  assert.deepEqual(
    RIGHT.filter((filter) => !fits(filter)),
    [],
  );
  assert.deepEqual(WRONG.filter(fits), []);
});
