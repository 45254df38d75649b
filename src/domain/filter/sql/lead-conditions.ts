import { EMAIL_DOMAIN } from "../../fields/index-form.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { checkTimezone } from "../../values/timezone.ts";
import { readFilter } from "../read/read-filter.ts";
import { searchWords } from "../read/search-words.ts";
import type { Filter } from "../tree/filter.ts";
import { boundsSql, type Candidates, candidatesSql, withFound } from "./candidates-sql.ts";
import { filterSql } from "./filter-sql.ts";
import { type Near, nearSql } from "./near-sql.ts";
import { leadSearchSql } from "./search-sql.ts";
import { StatementScope } from "./statement-scope.ts";

/** What selects leads in a query, export, bulk change or saved view. */
export interface LeadSelection {
  filter?: unknown;
  search?: string;
  /** The IANA zone of plain days; by default the project's. */
  timezone?: string;
  /** The start of relative dates, as ISO 8601; by default the statement's time. */
  now?: string;
  /** Whether deleted leads are selected instead of the others. */
  deleted?: boolean;
  /** Whether words of the search may be mistyped. */
  similar?: boolean;
}

export interface LeadConditions {
  scope: StatementScope;
  /** The WHERE clause of a statement `FROM lead`, which must use that name. */
  where: string;
  /** The leads among which all matches are, if indexes of fields have them. */
  candidates: Candidates | undefined;
  /** The WHERE clause for a walk through all leads, if there are too many candidates. */
  walked: string;
  /** The bounds of a walk through the index of a field (see boundsSql). */
  bounds: (indexId: number) => readonly string[];
  /** Adds the walk that is worth trying first; to be called only if it is used, as it adds parameters. */
  near: () => Near | undefined;
  /** The words of the search. */
  asked: readonly string[];
  /** Whether they may be mistyped. */
  similar: boolean;
  /** Whether every lead matches. */
  isAll: boolean;
  /** The filter as it was read. */
  filter: Filter | undefined;
}

/**
 * Returns a selection of leads as SQL, without merged leads, and without deleted ones unless these are selected. `wanted` is how many leads the statement
 * will read before it can stop; it decides how event conditions are searched. Throws 400 with JSON paths.
 */
export function leadConditions(
  projectId: string,
  { filter: given, search = "", timezone, now, deleted = false, similar = false }: LeadSelection,
  schema: ProjectSchema,
  wanted = Number.POSITIVE_INFINITY,
): LeadConditions {
  if (timezone !== undefined) checkTimezone(timezone);
  const scope = new StatementScope(projectId, timezone, { ...schema.events, wanted });
  if (now !== undefined) scope.now = `${scope.parameters.text(now)}::timestamptz`;
  scope.deleted = deleted;
  scope.domains = schema.indexes.get(EMAIL_DOMAIN)?.order;
  const filter = given === undefined ? undefined : readFilter(given, schema);
  const living = [
    `project_id = ${scope.project}`,
    `deleted_at IS ${deleted ? "NOT " : ""}NULL`,
    "merged_into_id IS NULL",
  ];
  const asked = searchWords(search);
  const words = leadSearchSql(asked, scope, similar);
  const whereOf = (tree: Filter | undefined) =>
    [...living, ...(tree === undefined ? [] : [filterSql(tree, scope)]), ...words].join(" AND ");
  const where = whereOf(filter);
  const candidates = filter && Number.isFinite(wanted) ? candidatesSql(filter, scope) : undefined;
  return {
    ...{ scope, where, candidates, filter, asked, similar },
    walked: filter && candidates ? whereOf(withFound(filter, candidates.found)) : where,
    bounds: (indexId) => (filter === undefined ? [] : boundsSql(filter, indexId, scope)),
    near: () => (deleted ? undefined : nearSql(filter, { living, words, scope })),
    isAll: filter === undefined && words.length === 0,
  };
}
