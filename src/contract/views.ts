import { type Static, Type } from "typebox";
import { Actor } from "./basics/actor.ts";
import { IdInPath, nextCursor, paging, time, version } from "./basics/basics.ts";
import { endpoint, json, nothing, type Tag } from "./basics/endpoint.ts";
import { SavedQuery, ViewQuery } from "./leads/query.ts";

const tag: Tag = { name: "views", description: "Saved queries, which filters can refer to." };

const name = Type.String({ minLength: 1, maxLength: 200 });

const QUERY = {
  filter: { field: "status", op: "in", value: ["new", "contacted"] },
  sort: [{ field: "score", dir: "desc" }],
} as const;

/** A saved query, which filters refer to as {"view": "view_…"}. */
export const View = Type.Object(
  {
    id: Type.String(),
    name,
    query: SavedQuery,
    created_by: Actor,
    version,
    created_at: time,
    updated_at: time,
  },
  {
    $id: "View",
    description: 'A saved query. Filters refer to it as {"view": "view_…"}.',
    examples: [
      {
        id: "view_01kagx3m5w8q2r7t9v4c6d1f0h",
        name: "Open leads",
        query: QUERY,
        created_by: { type: "person", id: "per_01kagx3m5w8q2r7t9v4c6d1f0h", label: "Ada Moreira" },
        version: 1,
        created_at: "2026-03-31T14:30:00.123456+00:00",
        updated_at: "2026-03-31T14:30:00.123456+00:00",
      },
    ],
  },
);
export type View = Static<typeof View>;

const ViewPage = Type.Object({ views: Type.Array(View), next_cursor: nextCursor }, { $id: "ViewPage" });

export const NewView = Type.Object(
  { name, query: ViewQuery },
  {
    $id: "NewView",
    additionalProperties: false,
    description: "A query to save under a name.",
    examples: [{ name: "Open leads", query: QUERY }],
  },
);
export type NewView = Static<typeof NewView>;

export const ViewPatch = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: "The version that the caller has read.",
      }),
    ),
    name: Type.Optional(name),
    query: Type.Optional(ViewQuery),
  },
  {
    $id: "ViewPatch",
    additionalProperties: false,
    description: "What to change of a view; a query replaces the whole query.",
    examples: [{ name: "Open leads in Brazil" }],
  },
);
export type ViewPatch = Static<typeof ViewPatch>;

const reads = { tag, refusals: "v1", needs: "leads:read" } as const;
const writes = { tag, refusals: "v1", needs: [["leads:write", "leads:read"]] } as const;

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
