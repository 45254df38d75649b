import { LeadsQuery } from "../../../contract/nouns/query.ts";
import { includedDatasets } from "../../filter/include.ts";
import { customOf, withSchema } from "../../filter/with-schema.ts";
import { memberOperation } from "../../operation/operation.ts";
import { type MarkedRow, type OffsetPage, offsetPage } from "../../operation/page.ts";
import { zoneUnknown } from "../../values/timezone.ts";
import { planLeads } from "./plan-leads.ts";

/** Returns a page of a project's leads, newest first unless `sort` is given. */
export const queryLeads = memberOperation({
  name: "leads.query",
  needs: "leads:read",
  input: LeadsQuery,
  async run(context, query): Promise<OffsetPage> {
    const { db, caller } = context;
    const included = await includedDatasets(context, query.include);
    const named = [...(query.sort ?? []).map(({ field }) => field), ...customOf(query.fields)];
    const plan = await withSchema(
      context,
      query,
      (schema) => planLeads(caller.projectId, query, schema, included),
      named,
    );
    const { limit = 50, offset = 0 } = query;
    const options = { parallel: query.total === "exact" };
    const ask = async (...mark: string[]) => {
      const asked = db.query<MarkedRow>(plan.text, [...plan.values, ...mark], options);
      return (await asked.catch(zoneUnknown))[0];
    };
    const row = plan.marked
      ? await context.service.pages.read(JSON.stringify([plan.text, plan.values]), ask)
      : await ask();
    return offsetPage(row, { limit, offset, total: query.total });
  },
});
