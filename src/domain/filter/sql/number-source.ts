import type { Filter } from "../tree/filter.ts";
import type { PageSource } from "./page-sql.ts";
import { rangeSql } from "./range-sql.ts";
import type { SortKey } from "./sort-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

type Condition = Extract<Filter, { kind: "condition" }>;

/** The bounds of index_number() in the database; for values beyond, the condition itself decides. */
const LARGEST = 1e300;
const SMALLEST = 1e-300;

/**
 * Returns the source of a page whose leads must all have a number in an ordered index: that index, joined with the
 * leads. The condition then only compares and no longer narrows by terms.
 */
export function numberSource(filter: Filter | undefined, scope: StatementScope): PageSource | undefined {
  const condition = filter === undefined ? undefined : demands(filter).find(isIndexed);
  if (condition === undefined) return undefined;
  condition.found = true;
  const { parameters, project } = scope;
  const { field, test } = condition;
  const where = [`project_id = ${project}`, `field = ${parameters.text(field.index ?? "")}`];
  const sql = (at: number) => `${parameters.add(bounded(at))}::float8`;
  if (test.kind === "number") {
    const { from, until } = test.range;
    where.push(
      rangeSql(
        "value",
        {
          ...(from === undefined ? {} : { from: { at: from.at, inclusive: true } }),
          ...(until === undefined ? {} : { until: { at: until.at, inclusive: true } }),
        },
        sql,
      ),
    );
  }
  if (test.kind === "numbers") {
    const [only] = test.values;
    where.push(
      test.values.length === 1 && only !== undefined
        ? `value = ${sql(only)}`
        : `value = ANY (${parameters.add(test.values.map(bounded))}::float8[])`,
    );
  }
  const numbers = `SELECT lead_id AS numbered_id, created_at AS numbered_at FROM lead_number WHERE ${where.join(" AND ")}`;
  return { from: `(${numbers}) AS ordered JOIN lead ON id = numbered_id`, own: `project_id = ${project}` };
}

/** The same order by the index's copy of the column; the planner cannot know that they are equal. */
export const numberedKeys = (keys: readonly SortKey[]): SortKey[] =>
  keys.map((key) => (key.sql === "created_at" ? { ...key, sql: "numbered_at" } : key));

/** The conditions that every matching lead must meet. */
function demands(filter: Filter): Filter[] {
  if (filter.kind === "and") return filter.of.flatMap(demands);
  return filter.kind === "view" ? demands(filter.of) : [filter];
}

const isIndexed = (filter: Filter): filter is Condition =>
  filter.kind === "condition" &&
  !filter.negated &&
  filter.field.index !== undefined &&
  (filter.test.kind === "number" || filter.test.kind === "numbers");

function bounded(number: number): number {
  return Math.abs(number) < SMALLEST ? 0 : Math.min(Math.max(number, -LARGEST), LARGEST);
}
