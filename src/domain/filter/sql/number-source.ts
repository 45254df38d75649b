import type { Filter } from "../tree/filter.ts";
import type { PageSource } from "./page-sql.ts";
import { rangeSql } from "./range-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

type Condition = Extract<Filter, { kind: "condition" }>;

/** A page's source, and the filter of the statement that reads from it. */
interface NumberSource {
  source: PageSource;
  filter: Filter;
}

/**
 * Returns the index of a number to read a page from, joined with the leads, where every lead must have such a number.
 * In the returned filter that number's condition is marked as found: it compares, and does not narrow by terms.
 */
export function numberSource(filter: Filter | undefined, scope: StatementScope): NumberSource | undefined {
  if (filter === undefined) return undefined;
  const condition = demands(filter).find(isIndexed);
  if (condition === undefined) return undefined;
  const { parameters, project } = scope;
  const { field, test } = condition;
  const where = [`project_id = ${project}`, `index_id = ${parameters.add(field.index?.order?.id)}::integer`];
  const sql = (at: number) => `${parameters.add(at)}::float8`;
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
        : `value = ANY (${parameters.add(test.values)}::float8[])`,
    );
  }
  const numbers = `SELECT lead_id AS numbered_id FROM lead_order_number WHERE ${where.join(" AND ")}`;
  return {
    source: { from: `(${numbers}) AS ordered JOIN lead ON id = numbered_id`, own: `project_id = ${project}` },
    filter: withFound(filter, condition),
  };
}

/** A copy of the filter in which this condition, one of its demands, is marked as found. */
function withFound(filter: Filter, condition: Condition): Filter {
  if (filter === condition) return { ...condition, found: true };
  if (filter.kind === "and") return { ...filter, of: filter.of.map((each) => withFound(each, condition)) };
  return filter.kind === "view" ? { ...filter, of: withFound(filter.of, condition) } : filter;
}

/** The conditions that every matching lead must meet. */
function demands(filter: Filter): Filter[] {
  if (filter.kind === "and") return filter.of.flatMap(demands);
  return filter.kind === "view" ? demands(filter.of) : [filter];
}

const isIndexed = (filter: Filter): filter is Condition =>
  filter.kind === "condition" &&
  !filter.negated &&
  filter.field.key !== undefined &&
  filter.field.index?.order !== undefined &&
  (filter.test.kind === "number" || filter.test.kind === "numbers");
