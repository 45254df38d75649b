import type { Filter } from "../tree/filter.ts";
import { datasetSql } from "./dataset-sql.ts";
import { eventSql } from "./event-sql.ts";
import { equalSql, withinSql } from "./number-sql.ts";
import { leadSearchSql } from "./search-sql.ts";
import type { StatementScope } from "./statement-scope.ts";
import { testSql } from "./test-sql.ts";

/** Returns a filter as SQL. It is true, false or NULL; NULL counts as false, and `not` is the complement of true. */
export function filterSql(filter: Filter, scope: StatementScope): string {
  switch (filter.kind) {
    case "and":
      return filter.of.length === 0 ? "true" : joined(filter.of, " AND ", scope);
    case "or":
      return filter.of.length === 0 ? "false" : joined(filter.of, " OR ", scope);
    case "not":
      return `(${filterSql(filter.of, scope)}) IS NOT TRUE`;
    case "view":
      return filterSql(filter.of, scope);
    case "words":
      return leadSearchSql(filter.words, scope).join(" AND ") || "true";
    case "event":
      return eventSql(filter, scope, filterSql);
    case "dataset":
      return datasetSql(filter, scope, filterSql);
    case "condition": {
      // The planner assumes that a CASE is true for half of the rows, but that a comparison of JSON is true
      // for almost none.
      if (filter.found === true) return `CASE WHEN ${comparedSql(filter, scope)} THEN true ELSE false END`;
      const test = testSql(filter.field, filter.test, scope);
      return filter.negated ? `(${test}) IS NOT TRUE` : `(${test})`;
    }
  }
}

const joined = (filters: readonly Filter[], word: string, scope: StatementScope): string =>
  `(${filters.map((filter) => `(${filterSql(filter, scope)})`).join(word)})`;

/** Compares without narrowing by index terms, where that would cost more than the comparison. */
function comparedSql({ field, test }: Extract<Filter, { kind: "condition" }>, scope: StatementScope): string {
  if (test.kind === "numbers") return equalSql(field, test.values, scope);
  return test.kind === "number" ? withinSql(field, test.range, scope) : testSql(field, test, scope);
}
