import * as views from "../../../contract/views.ts";
import { createView } from "../../../domain/views/create-view.ts";
import { deleteView } from "../../../domain/views/delete-view.ts";
import { getView } from "../../../domain/views/get-view.ts";
import { listViews } from "../../../domain/views/list-views.ts";
import { updateView } from "../../../domain/views/update-view.ts";
import type { ViewRecord } from "../../../domain/views/view.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";
import { versionFrom } from "../shared/preconditions.ts";

const viewReply = ({ version, json }: ViewRecord): Reply => ({
  status: 200,
  body: json,
  headers: { ETag: `"${version}"` },
});

/** Saved views, which filters refer to as {"view": "view_…"}. */
export const viewRoutes: readonly Route[] = [
  operationRoute({
    endpoint: views.listViews,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, views.listViews),
    operation: listViews,
    reply: ({ json, nextCursor }) => ok(`{"views":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
  }),
  operationRoute({
    endpoint: views.createView,
    caller: apiKey,
    input: bodyOf,
    operation: createView,
    reply(view) {
      const { headers, ...reply } = viewReply(view);
      return { ...reply, status: 201, headers: { ...headers, Location: `/api/v1/views/${view.id}` } };
    },
  }),
  operationRoute({
    endpoint: views.getView,
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, views.getView), id: pathOf(request, "id") }),
    operation: getView,
    reply: viewReply,
  }),
  operationRoute({
    endpoint: views.updateView,
    caller: apiKey,
    input(request, caller, endpoint) {
      const { version, ...patch } = bodyOf(request, caller, endpoint, { id: pathOf(request, "id") });
      return { ...patch, ...versionFrom(request, version) };
    },
    operation: updateView,
    reply: viewReply,
  }),
  operationRoute({
    endpoint: views.deleteView,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, views.deleteView),
      id: pathOf(request, "id"),
      ...versionFrom(request, undefined),
    }),
    operation: deleteView,
    reply: () => ({ status: 204 }),
  }),
];
