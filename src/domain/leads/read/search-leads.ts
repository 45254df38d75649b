import { LeadSearch } from "../../../contract/nouns/query.ts";
import { leadColumns } from "../../fields/lead-columns.ts";
import { includedDatasets, includeSql, statusSinceSql } from "../../filter/include.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import { numberedKeys } from "../../filter/sql/number-source.ts";
import { searchPageSql } from "../../filter/sql/search-page-sql.ts";
import { sortKeys } from "../../filter/sql/sort-sql.ts";
import { askWithSchema } from "../../filter/with-schema.ts";
import { type CursorBinding, readCursor } from "../../operation/cursor.ts";
import { memberOperation } from "../../operation/operation.ts";
import { BOUND, type CursorPage, type CursorRow, cursorPage, type Mark } from "../../operation/page.ts";

/** The fields whose order an index of leads has; indexed custom numbers have their own. */
const ORDERED = new Set(["created_at", "score"]);

/**
 * Returns a page of a project's leads by cursor, newest first unless `sort` is given. A page starts after the
 * previous page's last lead, by its sort values and id, so that concurrent writes do not shift it.
 */
export const searchLeads = memberOperation({
  name: "leads.search",
  needs: "leads:read",
  input: LeadSearch,
  async run(context, search): Promise<CursorPage> {
    const { service, caller } = context;
    const binding = bindingOf(caller.projectId, search);
    const { limit = 50, total = "none", cursor } = search;
    const visits = !ORDERED.has(search.sort?.[0]?.field ?? "created_at");
    const included = await includedDatasets(context, search.include);
    const named = [...(search.sort ?? []).map(({ field }) => field), ...(search.fields ?? [])];
    const [row] = await askWithSchema(
      context,
      search,
      (schema) => {
        const mark = cursor === undefined ? undefined : readCursor<Mark>(service, binding, cursor);
        const selection = { ...search, ...(mark === undefined ? {} : { now: mark.now }) };
        const wanted = total === "none" ? limit + 1 : total === "bounded" ? BOUND + 1 : undefined;
        const { scope, where, source } = leadConditions(caller.projectId, selection, schema, wanted, {
          paged: true,
        });
        const asked = sortKeys(search.sort, schema, scope);
        const keys = source === undefined ? asked : numberedKeys(asked);
        const columns =
          statusSinceSql(search.include, scope) +
          includeSql(included, scope) +
          leadColumns(search.fields, schema);
        const text = searchPageSql({
          scope,
          columns,
          where,
          keys,
          after: mark?.last,
          limit,
          total,
          visits: visits && source === undefined,
          ...(source && { source }),
        });
        return { text, values: scope.parameters.values };
      },
      ({ text, values }, send) =>
        send<CursorRow>(text, values, { measured: true, parallel: total === "exact" || visits }),
      named,
    );
    return cursorPage(service, binding, row, { limit, total });
  },
});

/** Everything that decides which leads come in which order; limit and fields may differ between pages. */
const bindingOf = (projectId: string, { sort, filter, search = "", timezone }: LeadSearch): CursorBinding => [
  projectId,
  "leads.search",
  sort ?? [],
  filter ?? null,
  search,
  timezone ?? null,
];
