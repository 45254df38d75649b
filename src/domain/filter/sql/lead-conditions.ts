import type { ProjectFacts } from "../../fields/project-facts.ts";
import { checkTimezone } from "../../values/timezone.ts";
import { readFilter } from "../read/read-filter.ts";
import { searchWords } from "../read/search-words.ts";
import { filterSql } from "./filter-sql.ts";
import { numberSource } from "./number-source.ts";
import type { PageSource } from "./page-sql.ts";
import { searchSql } from "./search-sql.ts";
import { StatementScope } from "./statement-scope.ts";

/** What decides which leads are meant; every query, export, bulk change and saved view has it. */
export interface LeadSelection {
  filter?: unknown;
  search?: string;
  /** IANA zone of plain days; the project's where left out. */
  timezone?: string;
  /** What relative dates count from, as ISO 8601; the statement's own time where left out. */
  now?: string;
}

export interface LeadConditions {
  scope: StatementScope;
  /** What stands behind WHERE in a statement `FROM lead`, under that name. */
  where: string;
  /** Where a page is read from, where that is not `lead` alone; only where `paged` was asked for. */
  source?: PageSource;
}

/**
 * The leads of a selection as SQL, deleted and merged ones left out. `wanted` is how many of them the statement
 * will look at before it may stop: it decides how event conditions are searched. Throws 400 with JSON paths.
 */
export function leadConditions(
  projectId: string,
  { filter, search = "", timezone, now }: LeadSelection,
  facts: ProjectFacts,
  wanted = Number.POSITIVE_INFINITY,
  { paged = false }: { paged?: boolean } = {},
): LeadConditions {
  if (timezone !== undefined) checkTimezone(timezone);
  const scope = new StatementScope(projectId, timezone, { ...facts.events, wanted });
  if (now !== undefined) scope.now = `${scope.parameters.text(now)}::timestamptz`;
  const read = filter === undefined ? undefined : readFilter(filter, facts);
  const numbered = paged ? numberSource(read, scope) : undefined;
  const asked = numbered?.filter ?? read;
  const conditions = [
    `project_id = ${scope.project}`,
    "deleted_at IS NULL",
    "merged_into_id IS NULL",
    ...(asked === undefined ? [] : [filterSql(asked, scope)]),
    ...searchWords(search).map((word) => searchSql(word, scope)),
  ];
  return { scope, where: conditions.join(" AND "), ...(numbered && { source: numbered.source }) };
}
