import type { ProjectSchema } from "../../fields/project-schema.ts";
import { checkTimezone } from "../../values/timezone.ts";
import { readFilter } from "../read/read-filter.ts";
import { searchWords } from "../read/search-words.ts";
import { filterSql } from "./filter-sql.ts";
import { numberSource } from "./number-source.ts";
import type { PageSource } from "./page-sql.ts";
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
}

export interface LeadConditions {
  scope: StatementScope;
  /** The WHERE clause of a statement `FROM lead`, which must use that name. */
  where: string;
  /** What a page is read from, if not from `lead` alone; only with `paged`. */
  source?: PageSource;
}

/**
 * Returns a selection of leads as SQL, without deleted and merged leads. `wanted` is how many leads the statement
 * will read before it can stop; it decides how event conditions are searched. Throws 400 with JSON paths.
 */
export function leadConditions(
  projectId: string,
  { filter, search = "", timezone, now }: LeadSelection,
  schema: ProjectSchema,
  wanted = Number.POSITIVE_INFINITY,
  { paged = false }: { paged?: boolean } = {},
): LeadConditions {
  if (timezone !== undefined) checkTimezone(timezone);
  const scope = new StatementScope(projectId, timezone, { ...schema.events, wanted });
  if (now !== undefined) scope.now = `${scope.parameters.text(now)}::timestamptz`;
  const read = filter === undefined ? undefined : readFilter(filter, schema);
  const numbered = paged ? numberSource(read, scope) : undefined;
  const asked = numbered?.filter ?? read;
  const conditions = [
    `project_id = ${scope.project}`,
    "deleted_at IS NULL",
    "merged_into_id IS NULL",
    ...(asked === undefined ? [] : [filterSql(asked, scope)]),
    ...leadSearchSql(searchWords(search), scope),
  ];
  return { scope, where: conditions.join(" AND "), ...(numbered && { source: numbered.source }) };
}
