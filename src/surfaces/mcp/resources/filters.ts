import { perform } from "../../../domain/operation/operation.ts";
import { getView } from "../../../domain/views/get-view.ts";
import { listViews } from "../../../domain/views/list-views.ts";
import type { Call, Resource, ResourceTemplate } from "../protocol/registry.ts";
import { asJson, fitting, JSON_TYPE, recordJson, unlessMissing } from "./json.ts";
import { matching } from "./matching.ts";
import { uriReader } from "./uri.ts";

const PAGE = 500;

/** How a tool's filter, which has only fields, expresses the `event` and `dataset` conditions of a view. */
const RELATED_FIELDS = {
  "event.<type>":
    "Such as event.email.opened, or event.email.* for all types that start with email. A date operator: such an event happened then; " +
    "not_in_last: none happened then. A number operator: how often it happened. is_empty: never.",
  "dataset.<key>": "A number operator: how many rows are linked to the lead. is_empty: none.",
  "dataset.<key>.<column>": "An operator of the column: at least one linked row matches.",
};

interface ViewJson {
  id: string;
  name: string;
}

/** Returns every view, read in pages of five hundred. */
async function viewsOf({ service, caller }: Call): Promise<ViewJson[]> {
  const views: ViewJson[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await perform(service, listViews, caller, asked);
    views.push(...(JSON.parse(page.json) as ViewJson[]));
    cursor = page.nextCursor;
  }
  return views;
}

export const filtersResource: Resource = {
  uri: "leads://filters",
  name: "filters",
  title: "Saved views",
  description:
    "The project's saved filters, newest first, and how a tool's filter refers to events and " +
    "datasets; next is the URI of more views.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  paged: true,
  async read(call, offset) {
    const views = await viewsOf(call);
    const { shown, left, cut } = fitting(views.slice(offset), RELATED_FIELDS);
    return asJson({
      views: shown,
      related_fields: RELATED_FIELDS,
      truncated: left > 0 || cut,
      ...(left > 0 ? { next: `leads://filters?offset=${offset + shown.length}` } : {}),
      ...(cut ? { hint: "leads://filters/{view_id} reads one completely." } : {}),
      untrusted_content: ["views"],
    });
  },
};

export const filterResource: ResourceTemplate = {
  uriTemplate: "leads://filters/{view_id}",
  name: "filter",
  title: "A saved view",
  description: "One saved filter of the project, with its sort and search.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  match: uriReader("leads://filters/{view_id}"),
  async read({ service, caller }, { view_id: id = "" }) {
    const view = await unlessMissing(perform(service, getView, caller, { id }));
    return view === undefined ? undefined : recordJson("view", JSON.parse(view.json));
  },
  complete: async (call, _variable, typed) =>
    matching(typed, await viewsOf(call), false, ({ name }) => [name]),
};
