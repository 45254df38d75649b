import { type Static, Type } from "typebox";
import { RowQuery, RowSearch } from "../../../contract/datasets/row-query.ts";
import type { Needs } from "../../../core/permission.ts";
import { NO_ESTIMATES, NO_PROJECT_SCHEMA } from "../../fields/project-schema.ts";
import { fieldFinder, LEAD_ID, rowFields } from "../../fields/row-field.ts";
import { noteRead } from "../../filter/note-filter.ts";
import { readRowFilter } from "../../filter/read/read-filter.ts";
import type { UnknownOption } from "../../filter/read/read-option.ts";
import { searchWords } from "../../filter/read/search-words.ts";
import { settleUnknown } from "../../filter/settle-unknown.ts";
import { filterSql } from "../../filter/sql/filter-sql.ts";
import { searchSql } from "../../filter/sql/search-sql.ts";
import { StatementScope } from "../../filter/sql/statement-scope.ts";
import { measureFilter } from "../../filter/tree/measure-filter.ts";
import { type MemberContext, requiring } from "../../operation/operation.ts";
import { checkTimezone } from "../../values/timezone.ts";
import type { Dataset } from "../definition/dataset.ts";
import { DatasetName } from "../definition/dataset-input.ts";

const closed = { additionalProperties: false };

/** The input of a query of rows by offset. */
export const RowsQuery = Type.Object({ dataset: DatasetName, ...RowQuery.properties }, closed);

/** The same by cursor. */
export const RowsSearch = Type.Object({ dataset: DatasetName, ...RowSearch.properties }, closed);

export type RowsQuery = Static<typeof RowsQuery>;
export type RowsSearch = Static<typeof RowsSearch>;

/** The default order: newest first, and rows of one call in their given order. */
export const NEWEST_ROWS: NonNullable<RowsQuery["sort"]> = [{ field: "_created_at", dir: "desc" }];

/** The source of pages of a dataset's rows. */
export const ROWS = {
  from: "dataset_row r",
  own: (scope: StatementScope, dataset: string) =>
    `r.project_id = ${scope.project} AND r.dataset_id = ${scope.parameters.text(dataset)}`,
};

/**
 * Returns a context in which a query that finds or sorts rows by their lead needs leads:read, too: it tells which
 * leads are stored.
 */
export const readingLeads = (
  context: MemberContext,
  needs: Needs,
  { filter, sort }: { filter?: unknown; sort?: unknown },
): MemberContext =>
  asksLead(filter) || asksLead(sort)
    ? requiring(context, { ...needs, all: [...(needs.all ?? []), "leads:read"] })
    : context;

const asksLead = (part: unknown): boolean =>
  typeof part === "object" &&
  part !== null &&
  (("field" in part && part.field === LEAD_ID) || Object.values(part).some(asksLead));

export interface RowConditions {
  scope: StatementScope;
  /** The WHERE clause of a statement `FROM dataset_row r`. */
  where: string;
  own: string;
}

/** Returns a selection of rows as SQL. Throws 400 with JSON paths; warns of values that are no option. */
export function rowConditions(
  { service, caller }: Pick<MemberContext, "service" | "caller">,
  dataset: Dataset,
  {
    filter,
    search = "",
    timezone,
    now,
  }: { filter?: unknown; search?: string; timezone?: string; now?: string },
): RowConditions {
  if (timezone !== undefined) checkTimezone(timezone);
  if (filter !== undefined) measureFilter(filter);
  const scope = new StatementScope(caller.projectId, timezone, { ...NO_ESTIMATES, wanted: 0 });
  if (now !== undefined) scope.now = `${scope.parameters.text(now)}::timestamptz`;
  const own = ROWS.own(scope, dataset.id);
  const schema = { ...NO_PROJECT_SCHEMA, defaultCountry: dataset.country };
  const find = fieldFinder(rowFields(dataset), dataset.key);
  const unknown: UnknownOption[] = [];
  const read = filter === undefined ? undefined : readRowFilter(filter, schema, find, unknown);
  settleUnknown(service, unknown);
  noteRead(service, () => read, search, schema);
  const conditions = [
    own,
    ...(read === undefined ? [] : [filterSql(read, scope)]),
    ...searchWords(search).map((word) => searchSql(word, scope)),
  ];
  return { scope, where: conditions.join(" AND "), own };
}
