import { fieldFinder, rowColumns, rowFields } from "../../fields/row-field.ts";
import { searchPageSql } from "../../filter/sql/search-page-sql.ts";
import { keysOf } from "../../filter/sql/sort-sql.ts";
import { type CursorBinding, readCursor } from "../../operation/cursor.ts";
import { maySql } from "../../operation/may-sql.ts";
import { checked, memberOperation } from "../../operation/operation.ts";
import { type CursorPage, type CursorRow, cursorPage, type Mark } from "../../operation/page.ts";
import { zoneUnknown } from "../../values/timezone.ts";
import { type Dataset, findDataset } from "../definition/dataset.ts";
import { NEWEST_ROWS, ROWS, RowsSearch, readingLeads, rowConditions } from "./rows-query.ts";

/** Returns a page of a dataset's rows by cursor. */
export const searchRows = memberOperation({
  name: "datasets.search",
  needs: "datasets:read",
  limit: "datasetReads",
  input: RowsSearch,
  async run(asked, search): Promise<CursorPage> {
    const context = readingLeads(asked, { any: ["datasets:read"] }, search);
    const { service, db, caller } = context;
    const { limit = 50, total = "none", sort = [], cursor } = search;
    const dataset = await findDataset(db, caller.projectId, search.dataset);
    const binding = bindingOf(caller.projectId, dataset, search);
    const { text, values } = await checked(context, () => {
      const mark = cursor === undefined ? undefined : readCursor<Mark>(service, binding, cursor);
      const selection = { ...search, ...(mark === undefined ? {} : { now: mark.now }) };
      const { scope, where, own } = rowConditions(context, dataset, selection);
      const find = fieldFinder(rowFields(dataset), dataset.key);
      const keys = keysOf(sort.length === 0 ? NEWEST_ROWS : sort, find, scope);
      const columns = rowColumns(dataset, search.columns, () =>
        maySql(caller, scope.parameters, "leads:read"),
      );
      const source = { from: ROWS.from, own };
      const page = { scope, source, columns, where, keys, after: mark?.last, limit, total };
      return { text: searchPageSql(page), values: scope.parameters.values };
    });
    const [row] = await db.query<CursorRow>(text, values).catch(zoneUnknown);
    return cursorPage(service, binding, row, { limit, total });
  },
});

/** A change of columns may change the order, so the dataset's version is part of the binding. */
const bindingOf = (
  projectId: string,
  { id, version }: Dataset,
  { sort, filter, search = "", timezone }: RowsSearch,
): CursorBinding => [
  projectId,
  "datasets.search",
  id,
  version,
  sort ?? [],
  filter ?? null,
  search,
  timezone ?? null,
];
