import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_PROJECT_SCHEMA } from "../../../src/domain/fields/project-schema.ts";
import { leadConditions } from "../../../src/domain/filter/sql/lead-conditions.ts";
import { measureFilter } from "../../../src/domain/filter/tree/measure-filter.ts";
import { HOSTILE_TEXTS, MARK } from "../support/hostile-texts.ts";
import { leaf } from "../support/said-filters.ts";

const sqlOf = (filter: object, search = "") => {
  const { scope, where } = leadConditions("prj_1", { filter, search, timezone: "UTC" }, NO_PROJECT_SCHEMA);
  return { where, values: scope.parameters.values };
};

test("no text of a filter or a search is in its SQL; each is a parameter", () => {
  for (const filter of HOSTILE_TEXTS) {
    measureFilter(filter);
    const { where, values } = sqlOf(filter, MARK);
    assert.ok(!where.includes("zqx"), where);
    const named = new Set([...where.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
    assert.deepEqual(
      [...named].sort((a, b) => a - b),
      [...values.keys()].map((i) => i + 1),
      where,
    );
  }
});

test("groups and negations keep their brackets, and empty groups are constants", () => {
  const shapeOf = (filter: object) =>
    sqlOf(filter).where.split("merged_into_id IS NULL AND ")[1]?.replaceAll(/\$\d+/g, "$n");
  assert.deepEqual([shapeOf({ and: [] }), shapeOf({ or: [] })], ["true", "false"]);
  const one = leaf("do_not_contact", "eq", true);
  const sql = shapeOf(one);
  assert.equal(shapeOf({ not: one }), `(${sql}) IS NOT TRUE`);
  assert.equal(shapeOf({ or: [one, one] }), `((${sql}) OR (${sql}))`);
  assert.equal(shapeOf({ and: [one, { or: [one, one] }] }), `((${sql}) AND (((${sql}) OR (${sql}))))`);
});

test("deleted and merged leads are never found", () => {
  for (const filter of [{ and: [] }, { not: { or: [] } }, leaf("name", "is_empty")])
    assert.match(
      sqlOf(filter).where,
      /^project_id = \$1::text AND deleted_at IS NULL AND merged_into_id IS NULL AND /,
    );
});
