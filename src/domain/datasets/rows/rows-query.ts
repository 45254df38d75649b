import { type Static, Type } from "typebox";
import { LeadsQuery } from "../../../contract/nouns/query.ts";
import { NO_ESTIMATES, NO_PROJECT_SCHEMA } from "../../fields/project-schema.ts";
import { fieldFinder, rowFields } from "../../fields/row-field.ts";
import { readRowFilter } from "../../filter/read/read-filter.ts";
import { searchWords } from "../../filter/read/search-words.ts";
import { filterSql } from "../../filter/sql/filter-sql.ts";
import { StatementScope } from "../../filter/sql/statement-scope.ts";
import { searchSql } from "../../filter/sql/text-sql.ts";
import { measureFilter } from "../../filter/tree/measure-filter.ts";
import { checkTimezone } from "../../values/timezone.ts";
import type { Dataset } from "../definition/dataset.ts";
import { DatasetName } from "../definition/dataset-input.ts";

const { limit, offset, timezone, total } = LeadsQuery.properties;

const Order = Type.Object(
  {
    field: Type.String({ maxLength: 200 }),
    dir: Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc")])),
    nulls: Type.Optional(Type.Union([Type.Literal("first"), Type.Literal("last")])),
  },
  { additionalProperties: false, description: "dir defaults to asc, nulls to last." },
);

/** The selection of rows in queries and deletions. */
export const RowSelection = {
  filter: Type.Optional(
    Type.Unknown({
      description:
        'Like a filter of leads, over the columns and _id, _lead_id, _version, _created_at, _updated_at: {"and"}, {"or"}, ' +
        '{"not"} or {"field", "op", "value"}.',
    }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: "Words that must all occur in the row's text columns." }),
  ),
  timezone,
};

const shared = {
  dataset: DatasetName,
  limit,
  ...RowSelection,
  sort: Type.Optional(Type.Array(Order, { maxItems: 3, description: "Default: newest first." })),
  columns: Type.Optional(
    Type.Array(Type.String({ maxLength: 60 }), { maxItems: 210, description: "_id is always included." }),
  ),
  total,
};

/** The input of a query of rows by offset. */
export const RowsQuery = Type.Object({ ...shared, offset }, { additionalProperties: false });

/** The same by cursor. */
export const RowsSearch = Type.Object(
  {
    ...shared,
    cursor: Type.Optional(
      Type.String({ maxLength: 100_000, description: "next_cursor of the previous page." }),
    ),
  },
  { additionalProperties: false },
);

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

export interface RowConditions {
  scope: StatementScope;
  /** The WHERE clause of a statement `FROM dataset_row r`. */
  where: string;
  own: string;
}

/** Returns a selection of rows as SQL. Throws 400 with JSON paths. */
export function rowConditions(
  projectId: string,
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
  const scope = new StatementScope(projectId, timezone, { ...NO_ESTIMATES, wanted: 0 });
  if (now !== undefined) scope.now = `${scope.parameters.text(now)}::timestamptz`;
  const own = ROWS.own(scope, dataset.id);
  const schema = { ...NO_PROJECT_SCHEMA, defaultCountry: dataset.country };
  const find = fieldFinder(rowFields(dataset), dataset.key);
  const conditions = [
    own,
    ...(filter === undefined ? [] : [filterSql(readRowFilter(filter, schema, find), scope)]),
    ...searchWords(search).map((word) => searchSql(word, scope)),
  ];
  return { scope, where: conditions.join(" AND "), own };
}
