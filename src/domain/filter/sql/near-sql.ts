import { hasTerms } from "../../fields/lead-field.ts";
import type { Filter } from "../tree/filter.ts";
import { isCommon } from "./event-sql.ts";
import { filterSql } from "./filter-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

type Condition = Extract<Filter, { kind: "condition" }>;

/** A short walk through the beginning of a page's order. */
export interface Near {
  /** The conditions on the leads that it passes. */
  passed: string;
  /** The other conditions. */
  where: string;
  /** Whether all matches are to be found by their index if it is not enough; else the planner decides. */
  gathers: boolean;
}

/** So many leads are passed before another way is taken: 1 to 3 ms, and 20 ms if the timeline of each is searched. */
const PASSED = 4_096;

/**
 * Returns the walk for a filter of which only the planner's statistics tell how many leads meet it: they are of all projects
 * together, and by them it could sort very many leads instead of passing the first few.
 */
export function nearSql(
  filter: Filter | undefined,
  { living, words, scope }: { living: readonly string[]; words: readonly string[]; scope: StatementScope },
): Near | undefined {
  const parts = filter === undefined ? [] : filter.kind === "and" ? filter.of : [filter];
  if (words.length === 0 && !parts.some((part) => hasGuess(part, scope))) return undefined;
  const sql = (all: readonly Filter[]) => all.map((part) => filterSql(forEachLead(part), scope));
  return {
    passed: [...living, ...sql(parts.filter(isInOrder))].join(" AND "),
    where: [...sql(parts.filter((part) => !isInOrder(part))), ...words].join(" AND "),
    gathers: !parts.some(hasOthers),
  };
}

/** A short walk as the beginning of a statement, and what is true if it is enough for the page. */
export interface ShortWalk {
  sql: string;
  enough: string;
}

/** Returns the short walk, whose leads are named `passed`, in order. It ends as soon as `most` of them meet the other conditions. */
export function shortWalkSql(
  { passed, where }: Near,
  { what, from, order, most }: { what: string; from: string; order: string; most: string },
): ShortWalk {
  const walked = `SELECT ${what}, (${where}) AS meets FROM ${from} WHERE ${passed} ORDER BY ${order} LIMIT ${PASSED}`;
  return {
    sql: `WITH passed AS MATERIALIZED (SELECT * FROM (${walked}) AS walked WHERE meets LIMIT ${most}) `,
    enough: `(SELECT count(*) FROM passed) = ${most}`,
  };
}

function hasGuess(filter: Filter, scope: StatementScope): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.of.some((each) => hasGuess(each, scope));
    case "not":
    case "view":
      return hasGuess(filter.of, scope);
    case "condition":
      return isGuessed(filter);
    case "event":
      return isCommon(filter, scope);
    default:
      return true;
  }
}

/**
 * Where the leads of a page are read from behind a walk that was not enough: by an index that finds all matches, whatever the
 * planner expects of a longer walk (OFFSET 0). The columns are those of the orders in which there are short walks.
 */
export const gatheredFrom = (from: string, where: string): string =>
  `(SELECT id, created_at, score FROM ${from} WHERE ${where} OFFSET 0) AS lead`;

/** Whether it has conditions on events or rows. */
function hasOthers(filter: Filter): boolean {
  if (filter.kind === "and" || filter.kind === "or") return filter.of.some(hasOthers);
  if (filter.kind === "not" || filter.kind === "view") return hasOthers(filter.of);
  return filter.kind === "event" || filter.kind === "dataset";
}

/** Conditions for which a GIN index of leads is. */
function isGuessed({ field, test }: Condition): boolean {
  switch (test.kind) {
    case "tags":
      return test.values.length > 0;
    case "text":
      return hasTerms(field) || test.match !== "whole" || field.worded === true;
    case "exact":
    case "email":
    case "phone":
    case "number":
    case "numbers":
    case "boolean":
      return hasTerms(field);
    default:
      return false;
  }
}

/** Conditions that the indexes of the newest leads have. */
const isInOrder = (filter: Filter): boolean =>
  filter.kind === "condition" &&
  !filter.negated &&
  !isGuessed(filter) &&
  ["status", "source", "created_at"].includes(filter.field.name);

/** A copy of the filter whose events and rows are searched for each lead. */
function forEachLead(filter: Filter): Filter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, of: filter.of.map(forEachLead) };
    case "not":
    case "view":
      return { ...filter, of: forEachLead(filter.of) };
    case "event":
    case "dataset":
      return { ...filter, eachLead: true };
    default:
      return filter;
  }
}
