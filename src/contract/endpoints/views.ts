import { Type } from "typebox";
import { IdInPath, paging } from "../nouns/basics/basics.ts";
import { NewView, View, ViewPage, ViewPatch } from "../nouns/view.ts";
import { endpoint, json, nothing } from "./shared/endpoint.ts";

const reads = { tag: "views", refusals: "v1", needs: "leads:read" } as const;
const writes = { tag: "views", refusals: "v1", needs: [["leads:write", "leads:read"]] } as const;

export const listViews = endpoint({
  ...reads,
  id: "views.list",
  method: "GET",
  url: "/api/v1/views",
  summary: "List saved views",
  description: "The project's saved views, newest first.",
  query: Type.Object(paging),
  answers: { 200: json(ViewPage, "A page of views.") },
});

export const createView = endpoint({
  ...writes,
  id: "views.create",
  method: "POST",
  url: "/api/v1/views",
  summary: "Save a view",
  description:
    "Saves a query under a name. The query is validated; errors have their path under $.query. 409 if the project has " +
    "1,000 views.",
  body: NewView,
  examples: {
    open: {
      name: "Open leads",
      query: {
        filter: { field: "status", op: "in", value: ["new", "contacted"] },
        sort: [{ field: "score", dir: "desc" }],
      },
    },
  },
  answers: { 201: json(View, "The view.", ["ETag", "Location", "X-Leadgate-Warning"]) },
  refused: [409],
});

export const getView = endpoint({
  ...reads,
  id: "views.get",
  method: "GET",
  url: "/api/v1/views/{id}",
  summary: "Read a saved view",
  description: "Its version is the ETag, for If-Match.",
  params: IdInPath,
  answers: { 200: json(View, "The view.", ["ETag"]) },
  refused: [404],
});

export const updateView = endpoint({
  ...writes,
  id: "views.update",
  method: "PATCH",
  url: "/api/v1/views/{id}",
  summary: "Change a saved view",
  description:
    "Changes the name, the query or both. A query replaces the whole query. With If-Match, or version in the body, 412 " +
    "unless it is the current version.",
  params: IdInPath,
  ifMatch: true,
  body: ViewPatch,
  examples: { rename: { name: "Open leads in Brazil" } },
  answers: { 200: json(View, "The view after the change.", ["ETag", "X-Leadgate-Warning"]) },
  refused: [404, 412],
});

export const deleteView = endpoint({
  ...writes,
  id: "views.delete",
  method: "DELETE",
  url: "/api/v1/views/{id}",
  summary: "Delete a saved view",
  description:
    "409 while other views use it; the details name them. With If-Match, 412 unless it is the current version.",
  params: IdInPath,
  ifMatch: true,
  answers: { 204: nothing("The view is deleted.") },
  refused: [404, 409, 412],
});
