import assert from "node:assert/strict";
import { test } from "node:test";
import type { Filter, RowFilter } from "../../../src/contract/nouns/filter.ts";
import { EventFilter } from "../../../src/contract/nouns/filter/event-filter.ts";

/** Filters that compile. */
const RIGHT = [
  { and: [] },
  { field: "name", op: "contains", value: "ana" },
  { field: "email", op: "domain_in", value: ["example.org"] },
  { field: "status", op: "in", value: ["new"] },
  { field: "created_at", op: "in_last", value: { n: 30, unit: "day" } },
  { field: "created_at", op: "in_period", value: "last_month" },
  { field: "score", op: "between", value: [1, 2] },
  { field: "company", op: "is_empty" },
  { field: "custom.whatever", op: "eq", value: 1 },
  { not: { or: [{ view: "view_1" }] } },
  { event: { type: "email.*", where: { not: { field: "data.link", op: "gt", value: 3 } }, pick: "last" } },
  { dataset: { key: "companies", where: { field: "employees", op: "gt", value: 1 } } },
] satisfies Filter[];
