import { Type } from "typebox";
import { queryLeads } from "../../../../domain/leads/read/query-leads.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { createView } from "../../../../domain/views/create-view.ts";
import type { Call } from "../../protocol/registry.ts";
import { unlisted } from "../../protocol/shown-schema.ts";
import { ShortFilter } from "../shared/filter.ts";
import { BriefSort, orderOf, storedFields } from "../shared/sort.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly } from "../shared/words.ts";
import { worked } from "../shared/writing.ts";
import { selectionOf } from "./selection.ts";

/** Saves a query of leads for the people of the project. */
export const saveViewTool = composedTool({
  name: "save_view",
  title: "Save a view",
  description: "Saves which leads, their order and columns, for the people of the project.",
  input: exactly({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    filter: Type.Optional(ShortFilter),
    search: Type.Optional(unlisted(Type.String({ minLength: 1, maxLength: 200 }))),
    sort: BriefSort,
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { maxItems: 60, description: "Columns." }),
    ),
  }),
  needs: "leads:write",
  alsoNeeds: "leads:read",
  view: VIEWS.change,
  destructive: false,
  idempotent: false,
  path: (path) => path.replace(/^\$\.query/, "$"),
  async run(call, { name, sort, fields, ...given }) {
    const { timezone: _, ...selection } = await selectionOf(call, given);
    const query = {
      ...selection,
      ...(sort === undefined ? {} : { sort: sort.map(orderOf) }),
      ...(fields === undefined ? {} : { fields: storedFields(fields) }),
    };
    // A filter that cannot be counted in time is saved all the same; one that is wrong is refused by saving.
    const matches = await matchesOf(call, selection).catch(() => ({}));
    return await worked(call, {
      operation: createView,
      input: { name, query },
      title: `Save the view ${JSON.stringify(name)}`,
      toAnswer: ({ id }) => ({
        view_id: id,
        ...matches,
        url: `${call.service.config.authUrl}/projects/${call.caller.projectId}/leads?view=${id}`,
      }),
    });
  },
});

/** How many leads the view has now, up to the bound of counts: the person is told what was saved. */
async function matchesOf({ service, caller }: Call, selection: object): Promise<object> {
  const query = { ...selection, fields: ["id"], limit: 1 };
  const { total, totalRelation } = await perform(service, queryLeads, caller, query);
  return { leads: total, ...(totalRelation === "gte" ? { at_least: true } : {}) };
}
