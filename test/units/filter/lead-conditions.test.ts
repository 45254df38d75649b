import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_PROJECT_SCHEMA } from "../../../src/domain/fields/project-schema.ts";
import { leadConditions } from "../../../src/domain/filter/sql/lead-conditions.ts";
import { measureFilter } from "../../../src/domain/filter/tree/measure-filter.ts";

const sqlOf = (filter: object, search = "") => {
  const { scope, where } = leadConditions("prj_1", { filter, search, timezone: "UTC" }, NO_PROJECT_SCHEMA);
  return { where, values: scope.parameters.values };
};

const leaf = (field: string, op: string, value?: unknown) =>
  value === undefined ? { field, op } : { field, op, value };

/** A string that no statement of ours contains, with characters that end a literal and a comment. */
const MARK = "zqx'\"; -- */ $1 \\";

const HOSTILE: object[] = [
  leaf("name", "eq", MARK),
  leaf("company", "contains", MARK),
  leaf("source", "not_in", [MARK, "b"]),
  leaf("email", "domain_in", [MARK]),
  leaf("tags", "has_all", [MARK]),
  leaf("status", "neq", MARK),
  { event: { type: "a.b", where: leaf(`data.${MARK}`, "eq", MARK) } },
  { event: { type: MARK.replaceAll(/[\s*]/g, ""), count: { op: "gte", value: 2 } } },
  { not: { or: [leaf("city", "starts_with", MARK), leaf("state", "ends_with", MARK)] } },
];

test("no text of a filter or a search is in its SQL; each is a parameter", () => {
  for (const filter of HOSTILE) {
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
