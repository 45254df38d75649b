import { Type } from "typebox";
import { ViewQuery } from "../../../contract/nouns/query.ts";
import { createView, NewView } from "../../../domain/views/create-view.ts";
import { deleteView } from "../../../domain/views/delete-view.ts";
import { getView } from "../../../domain/views/get-view.ts";
import { listViews, ViewList } from "../../../domain/views/list-views.ts";
import { updateView, ViewPatch } from "../../../domain/views/update-view.ts";
import type { ViewRecord } from "../../../domain/views/view.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { dateTime, IdInPath, refusals, stringOrNull } from "../shared/described.ts";
import { bodyOf, pathOf, queryOf, versionFrom } from "../shared/input.ts";

const usual = { tags: ["views"], bearer: true as const };

const View = Type.Object({
  id: Type.String(),
  name: Type.String(),
  query: ViewQuery,
  created_by: Type.Object({}, { additionalProperties: true }),
  version: Type.Integer(),
  created_at: dateTime,
  updated_at: dateTime,
});

const viewReply = ({ version, json }: ViewRecord): Reply => ({
  status: 200,
  body: json,
  headers: { ETag: `"${version}"` },
});

/** Saved views, which filters refer to as {"view": "view_…"}. */
export const viewRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/views",
    describe: {
      ...usual,
      summary: "List saved views",
      description: "Newest first.",
      query: ViewList,
      answers: {
        200: Type.Object({ views: Type.Array(View), next_cursor: stringOrNull }),
        ...refusals(),
      },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, { limit: "integer", cursor: "text" }),
    operation: listViews,
    reply: ({ json, nextCursor }) => ok(`{"views":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
  }),
  operationRoute({
    method: "POST",
    url: "/api/v1/views",
    describe: {
      ...usual,
      summary: "Save a view",
      description: "Its query is validated; errors have their path under $.query.",
      body: NewView,
      answers: { 201: View, ...refusals(409, 413, 415) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: createView,
    reply(view) {
      const { headers, ...reply } = viewReply(view);
      return { ...reply, status: 201, headers: { ...headers, Location: `/api/v1/views/${view.id}` } };
    },
  }),
  operationRoute({
    method: "GET",
    url: "/api/v1/views/:id",
    describe: {
      ...usual,
      summary: "Read a saved view",
      description: "Its version is the ETag, for If-Match.",
      params: IdInPath,
      answers: { 200: View, ...refusals(404) },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
    operation: getView,
    reply: viewReply,
  }),
  operationRoute({
    method: "PATCH",
    url: "/api/v1/views/:id",
    describe: {
      ...usual,
      summary: "Change a saved view",
      description:
        "A query replaces the whole query. With If-Match, or version in the body, 412 unless it is the current version.",
      params: IdInPath,
      body: ViewPatch,
      answers: { 200: View, ...refusals(404, 412, 413, 415) },
    },
    caller: apiKey,
    input(request, caller) {
      const { version, ...patch } = bodyOf(request, caller);
      return { ...patch, id: pathOf(request, "id"), ...versionFrom(request, version) };
    },
    operation: updateView,
    reply: viewReply,
  }),
  operationRoute({
    method: "DELETE",
    url: "/api/v1/views/:id",
    describe: {
      ...usual,
      summary: "Delete a saved view",
      description: "409 while other views use it; the response names them.",
      params: IdInPath,
      answers: { 204: Type.Null(), ...refusals(404, 409, 412) },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, {}),
      id: pathOf(request, "id"),
      ...versionFrom(request, undefined),
    }),
    operation: deleteView,
    reply: () => ({ status: 204 }),
  }),
];
