import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_PROJECT_SCHEMA } from "../../../src/domain/fields/project-schema.ts";
import { readFilter } from "../../../src/domain/filter/read/read-filter.ts";
import { measureFilter } from "../../../src/domain/filter/tree/measure-filter.ts";
import { toSelection } from "../../../src/surfaces/mcp/tools/leads/selection.ts";
import { assistantPath } from "../../../src/surfaces/mcp/tools/shared/filter.ts";
import { STORED } from "../support/companies.ts";
import { refused } from "../support/refused.ts";

const WEEK = { n: 7, unit: "day" };

type Condition = [field: string, op: string, value?: unknown];

const groupOf = (conditions: Condition[]) => ({
  all: conditions.map(([field, op, value]) => ({ field, op, ...(value === undefined ? {} : { value }) })),
});

const SCHEMA = {
  ...NO_PROJECT_SCHEMA,
  datasets: new Map([
    ["companies", STORED],
    ["loose", { ...STORED, key: "loose", lead_link: null }],
  ]),
};

/**
 * Returns the errors of an assistant's selection: the paths in the assistant's terms, and the first message.
 */
function failureOf(given: Parameters<typeof toSelection>[0]): { paths: string[]; why: string } {
  const { faults, message } = refused(() => {
    const { filter } = toSelection(given);
    measureFilter(filter);
    readFilter(filter, SCHEMA);
  });
  return { paths: faults.map(({ path }) => assistantPath(path)), why: message };
}

test("errors of a condition on events or datasets are reported at the assistant's condition", () => {
  const WRONG: [Condition, string, RegExp][] = [
    [["event.call.made", "contains", "x"], "op", /"contains".*event\.call\.made.*in_last.*gte.*is_empty/],
    [["event.call.made", "in", [1]], "op", /"in".*between/],
    [["event.call.made", "in_last"], "value", /required/],
    [["event.call.made", "in_last", 7], "value", /unit/],
    [["event.call.made", "after", "soon"], "value", /must be a date/],
    [["event.call.made", "between", ["2026-01-01", "soon"]], "value[1]", /must be a date/],
    [["event.call.made", "gte", 1.5], "value", /must be an integer/],
    [["event.call.made", "gte"], "value", /required/],
    [["event.call.made", "between", [1, -1]], "value[1]", /must be an integer/],
    [["event.call.made", "is_empty", true], "value", /takes no value/],
    [["event.", "is_empty"], "field", /"event\." is not a field/],
    [["event.call *", "in_last", WEEK], "field", /email\.opened/],
    [["dataset.nope.size", "eq", 1], "field", /"nope" is not a dataset/],
    [["dataset.", "is_empty"], "field", /"dataset\." is not a field/],
    [["dataset.loose.name", "eq", "x"], "field", /lead_link/],
    [["dataset.companies.size", "eq", 1], "field", /"size" is not a column of the dataset companies/],
    [["dataset.companies.a.b", "eq", 1], "field", /"a\.b" is not a column/],
    [["dataset.companies.employees", "contains", "1"], "op", /use one of eq/],
    [["dataset.companies.employees", "eq", "many"], "value", /number/],
    [["dataset.companies.tier", "in", ["gold", 1]], "value[1]", /must be a string/],
    [["dataset.companies", "in_last", WEEK], "op", /"dataset\.companies".*gte.*how many rows.*is_empty/],
    [["dataset.companies", "gte", "many"], "value", /must be an integer/],
    [["dataset.companies", "is_not_empty", 1], "value", /takes no value/],
  ];
  const score = groupOf([["score", "gte", 1]]);
  for (const [condition, member, message] of WRONG) {
    const wrong = groupOf([["score", "gte", 1], condition]);
    const alone = failureOf({ filter: { any: [wrong] } });
    assert.deepEqual(alone.paths, [`$.filter.any[0].all[1].${member}`], JSON.stringify(condition));
    assert.match(alone.why, message);
    const second = { filter: { any: [score, wrong] } };
    const path = [`$.filter.any[1].all[1].${member}`];
    assert.deepEqual(failureOf(second).paths, path);
    assert.deepEqual(failureOf({ ...second, view: "view_none" }).paths[0], path[0]);
  }
});
