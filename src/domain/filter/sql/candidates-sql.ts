import { hasTerms } from "../../fields/lead-field.ts";
import type { DatasetCondition, Filter, Range, Test } from "../tree/filter.ts";
import { linkedSql } from "./dataset-sql.ts";
import { filterSql } from "./filter-sql.ts";
import { patternOf } from "./folded-value.ts";
import { momentSql, rangeSql } from "./range-sql.ts";
import type { StatementScope } from "./statement-scope.ts";
import { testSql } from "./test-sql.ts";

type Condition = Extract<Filter, { kind: "condition" }>;

/** Leads among which all matches of a filter are, from an index (docs/decisions/0028). */
export interface Candidates {
  /** Returns a query for their ids; a lead may be there twice. To be called only if it is used, as it adds parameters. */
  sql: () => string;
  /** How many leads the indexes have, by which it is decided how many candidates are few. */
  leads: number;
  /** The indexes of fields. */
  ids: readonly number[];
  /** The conditions that the indexes apply, but for edge cases. */
  found: ReadonlySet<Filter>;
  /** How few they probably are: the lower, the fewer. */
  rank: number;
  /** Whether all must be found before it is known that there are too many, as in a GIN index. */
  whole: boolean;
}

const EQUAL = 1;
const PART = 2;
const BETWEEN = 3;
const EMPTY = 4;

/** Values of indexes are cut to this length. */
const LONGEST = 500;

/** Local days start at most so many hours before or after those of UTC, in which indexes have days. */
const APART = "interval '15 hours'";

/** Shorter parts of words are in too many texts. */
const SHORTEST = 3;

/** Returns the candidates of a filter, if indexes have all of its matches. */
export function candidatesSql(filter: Filter, scope: StatementScope): Candidates | undefined {
  switch (filter.kind) {
    case "and":
      return filter.of
        .flatMap((each) => candidatesSql(each, scope) ?? [])
        .toSorted((one, other) => one.rank - other.rank)[0];
    case "view":
      return candidatesSql(filter.of, scope);
    case "or": {
      const each = filter.of.map((part) => candidatesSql(part, scope) ?? ownSql(part, scope));
      const all = each.filter((part) => part !== undefined);
      if (all.length < each.length || all.every(({ ids }) => ids.length === 0)) return undefined;
      return {
        whole: all.some(({ whole }) => whole),
        sql: () => all.map(({ sql }) => `(${sql()})`).join(" UNION ALL "),
        leads: Math.max(...all.map(({ leads }) => leads)),
        ids: all.flatMap(({ ids }) => ids),
        found: new Set(all.flatMap(({ found }) => [...found])),
        rank: Math.max(...all.map(({ rank }) => rank)),
      };
    }
    case "condition":
      return filter.negated ? undefined : ofCondition(filter, scope);
    case "dataset":
      return ofDataset(filter, scope);
    default:
      return undefined;
  }
}

/** How many leads rows count as linked to: for a page of 50, up to 512 rows are few, which takes 5 ms to find out. */
const LINKED = 10_000;

/** Leads of few rows; those of merged leads would have to be looked for from both sides. */
function ofDataset(condition: DatasetCondition, scope: StatementScope): Candidates | undefined {
  const { where, merged, count } = condition;
  const { negated, least, most = Number.POSITIVE_INFINITY } = count;
  if (merged || negated || least === 0 || least > most || where === undefined || !hasEqual(where))
    return undefined;
  return {
    sql: () => linkedSql(condition, scope, filterSql),
    ...{ leads: LINKED, ids: [], found: new Set(), rank: EQUAL, whole: false },
  };
}

/** Whether one value of a field is asked for, which few rows have. */
const hasEqual = (filter: Filter): boolean =>
  filter.kind === "and"
    ? filter.of.some(hasEqual)
    : filter.kind === "condition" &&
      !filter.negated &&
      (filter.test.kind === "exact" || (filter.test.kind === "text" && filter.test.match === "whole"));

function ofCondition(condition: Condition, scope: StatementScope): Candidates | undefined {
  const index = indexFor(condition, scope);
  const narrows = index && narrowed(condition, scope);
  if (index === undefined || narrows === undefined) return undefined;
  const own = () =>
    `v.project_id = ${scope.project} AND v.index_id = ${scope.parameters.add(index.id)}::integer`;
  return {
    sql: () => `SELECT v.lead_id FROM ${index.table} v WHERE ${own()} AND ${narrows.sql()}`,
    leads: index.leads,
    ids: [index.id],
    found: new Set([condition]),
    rank: narrows.rank,
    whole: narrows.rank === PART,
  };
}

/** Conditions on the values `v` of this index that all matches of a filter meet, so that a walk through it starts and ends with them. */
export function boundsSql(filter: Filter, indexId: number, scope: StatementScope): string[] {
  if (filter.kind === "and") return filter.of.flatMap((each) => boundsSql(each, indexId, scope));
  if (filter.kind === "view") return boundsSql(filter.of, indexId, scope);
  if (filter.kind !== "condition" || filter.negated || indexFor(filter, scope)?.id !== indexId) return [];
  const narrows = narrowed(filter, scope);
  return narrows === undefined ? [] : [narrows.sql()];
}

/** The index that has what a condition tests. */
function indexFor(
  { field, test }: Condition,
  scope: StatementScope,
): { id: number; table: string; leads: number } | undefined {
  const { order, parts } = field.index ?? {};
  if (test.kind === "domain")
    return field.key === undefined && field.name === "email" ? scope.domains : undefined;
  if (test.kind !== "text" || test.match === "whole") return order;
  // A phone of a lead is compared in two forms, of which the index has one.
  const isPhone = field.type === "phone" && field.key === undefined;
  const isShort = (test.values[0] ?? "").length < SHORTEST;
  return parts === undefined || isPhone || isShort ? undefined : { ...parts, table: "lead_parts" };
}

/** The condition on the value of the index; undefined if it does not help. */
function narrowed(
  { field, test }: Condition,
  scope: StatementScope,
): { sql: () => string; rank: number } | undefined {
  const { parameters } = scope;
  const among = (values: readonly string[], through: (item: string) => string) => ({
    sql: () =>
      `v.value = ANY (ARRAY(SELECT left(${through("item")}, ${LONGEST}) FROM unnest(${parameters.texts(values)}) AS listed (item)))`,
    rank: EQUAL,
  });
  switch (test.kind) {
    case "text": {
      if (test.match === "whole") return among(test.values, (item) => `fold(${item})`);
      return {
        sql: () => `v.value LIKE ${patternOf(test.values[0] ?? "", "part", parameters)}`,
        rank: PART,
      };
    }
    case "exact":
      return among(test.values, (item) => item);
    case "domain":
      return among(
        test.values.map((domain) => domain.replace(/^@/, "")),
        (item) => `lower(${item})`,
      );
    case "boolean":
      return { sql: () => `v.value = ${parameters.text(String(test.value))}`, rank: EMPTY };
    case "numbers":
      return { sql: () => `v.value = ANY (${parameters.add([...test.values])}::float8[])`, rank: EQUAL };
    case "number":
      return {
        sql: () => rangeSql("v.value", inclusive(test.range), (at) => `${parameters.add(at)}::float8`),
        rank: BETWEEN,
      };
    case "moment":
      return { sql: () => momentsSql(test, field.key !== undefined, scope), rank: BETWEEN };
    case "empty":
      return { sql: () => emptySql(field.type), rank: EMPTY };
    default:
      return undefined;
  }
}

const inclusive = <T>({ from, until }: Range<T>): Range<T> => ({
  ...(from && { from: { ...from, inclusive: true } }),
  ...(until && { until: { ...until, inclusive: true } }),
});

function momentsSql(
  { range }: Extract<Test, { kind: "moment" }>,
  isDay: boolean,
  scope: StatementScope,
): string {
  const { from, until } = inclusive(range);
  const edge = (at: NonNullable<typeof from>["at"], sign: string) =>
    isDay ? `(${momentSql(at, scope)} ${sign} ${APART})` : momentSql(at, scope);
  const parts = [
    ...(from === undefined ? [] : [`v.value >= ${edge(from.at, "-")}`]),
    ...(until === undefined ? [] : [`v.value <= ${edge(until.at, "+")}`]),
  ];
  return parts.join(" AND ");
}

/** Custom values of another type than their field's count as empty, as in the index. */
const emptySql = (type: Condition["field"]["type"]): string =>
  type === "number" || type === "date" || type === "boolean"
    ? "v.value IS NULL"
    : "(v.value IS NULL OR v.value = '')";

/** The same from the indexes of leads themselves, for a part of an OR; OFFSET 0 keeps the planner from reading the table. */
function ownSql(filter: Filter, scope: StatementScope): Candidates | undefined {
  if (filter.kind === "and")
    return filter.of.map((part) => ownSql(part, scope)).find((part) => part !== undefined);
  if (filter.kind !== "condition" || filter.negated || !hasOwnIndex(filter)) return undefined;
  const living = `project_id = ${scope.project} AND deleted_at IS NULL AND merged_into_id IS NULL`;
  return {
    sql: () =>
      `SELECT id FROM lead WHERE ${living} AND (${testSql(filter.field, filter.test, scope)}) OFFSET 0`,
    ...{ leads: 0, ids: [], found: new Set([filter]), rank: PART, whole: true },
  };
}

function hasOwnIndex({ field, test }: Condition): boolean {
  switch (test.kind) {
    case "text":
      return test.match === "whole"
        ? field.worded === true || field.name === "source" || hasTerms(field)
        : field.worded === true && (test.values[0] ?? "").length >= SHORTEST;
    case "exact":
    case "numbers":
    case "number":
      return hasTerms(field) || field.name === "external_id" || field.name === "id";
    case "email":
    case "phone":
      return field.key === undefined || hasTerms(field);
    case "tags":
      return test.values.length > 0;
    default:
      return false;
  }
}

/** A copy of the filter in which these conditions are marked as found, so that the planner does not narrow by them again. */
export function withFound(filter: Filter, found: ReadonlySet<Filter>): Filter {
  if (filter.kind === "condition") return found.has(filter) ? { ...filter, found: true } : filter;
  if (filter.kind === "and" || filter.kind === "or")
    return { ...filter, of: filter.of.map((each) => withFound(each, found)) };
  return filter.kind === "view" ? { ...filter, of: withFound(filter.of, found) } : filter;
}
