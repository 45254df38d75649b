import { fieldFinder, rowColumns, rowFields } from "../../fields/row-field.ts";
import { pageSql } from "../../filter/sql/page-sql.ts";
import { keysOf, orderSql } from "../../filter/sql/sort-sql.ts";
import { maySql } from "../../operation/may-sql.ts";
import { checked, type MemberContext, memberOperation } from "../../operation/operation.ts";
import { type OffsetPage, type OffsetRow, offsetPage } from "../../operation/page.ts";
import { zoneUnknown } from "../../values/timezone.ts";
import { type Dataset, findDataset } from "../definition/dataset.ts";
import { NEWEST_ROWS, ROWS, RowsQuery, readingLeads, rowConditions } from "./rows-query.ts";

/** Returns a page of a dataset's rows, newest first unless `sort` is given. */
export const queryRows = memberOperation({
  name: "datasets.query",
  needs: "datasets:read",
  limit: "datasetReads",
  input: RowsQuery,
  async run(asked, query): Promise<OffsetPage> {
    const context = readingLeads(asked, { any: ["datasets:read"] }, query);
    const { db, caller } = context;
    const { limit = 50, offset = 0 } = query;
    const dataset = await findDataset(db, caller.projectId, query.dataset);
    const { text, values } = await checked(context, () => planRows(context, dataset, query));
    const [row] = await db.query<OffsetRow>(text, values).catch(zoneUnknown);
    return offsetPage(row, { limit, offset, total: query.total });
  },
});

function planRows(
  context: MemberContext,
  dataset: Dataset,
  query: RowsQuery,
): { text: string; values: readonly unknown[] } {
  const { limit = 50, offset = 0, total = "bounded", sort = [] } = query;
  const { scope, where, own } = rowConditions(context, dataset, query);
  const find = fieldFinder(rowFields(dataset), dataset.key);
  const order = orderSql(keysOf(sort.length === 0 ? NEWEST_ROWS : sort, find, scope));
  const columns = rowColumns(dataset, query.columns, () =>
    maySql(context.caller, scope.parameters, "leads:read"),
  );
  const source = { from: ROWS.from, own };
  return {
    text: pageSql({ scope, source, columns, where, order, limit, offset, total }),
    values: scope.parameters.values,
  };
}
