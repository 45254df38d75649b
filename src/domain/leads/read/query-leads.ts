import { LeadsQuery } from "../../../contract/leads/query.ts";
import { includedDatasets } from "../../filter/include.ts";
import { noteTime } from "../../filter/note-time.ts";
import { askWithSchema, customOf } from "../../filter/with-schema.ts";
import { memberOperation } from "../../operation/operation.ts";
import { type OffsetPage, offsetPage, type PageRow } from "../../operation/page.ts";
import { planLeads } from "./plan-leads.ts";

/** Returns a page of a project's leads, newest first unless `sort` is given. */
export const queryLeads = memberOperation({
  name: "leads.query",
  needs: "leads:read",
  input: LeadsQuery,
  async run(context, query): Promise<OffsetPage> {
    const { caller } = context;
    const included = await includedDatasets(context, query.include);
    const named = [...(query.sort ?? []).map(({ field }) => field), ...customOf(query.fields)];
    const { limit = 50, offset = 0 } = query;
    const row = await askWithSchema(
      context,
      query,
      (schema) => {
        const again = (known?: string) => planLeads(caller.projectId, query, schema, included, known);
        return { first: again(), again };
      },
      async ({ first, again }, send) => {
        const ask = async (mark?: string) => {
          const { text, values, ids, filter } = mark === undefined ? first : again(mark);
          const took = noteTime(context, { filter, sort: query.sort, ids });
          const options = { measured: true, parallel: query.total === "exact", took };
          return (await send<PageRow>(text, values, options))[0];
        };
        if (!first.canBeMarked) return await ask();
        return await context.service.pages.read(JSON.stringify([first.text, first.values]), ask);
      },
      named,
    );
    return offsetPage(row, { limit, offset, total: query.total });
  },
});
