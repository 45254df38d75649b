import { type Static, Type } from "typebox";
import { Actor } from "./basics/actor.ts";
import { nextCursor, time, version } from "./basics/basics.ts";
import { SavedQuery, ViewQuery } from "./query.ts";

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

export const ViewPage = Type.Object(
  { views: Type.Array(View), next_cursor: nextCursor },
  { $id: "ViewPage" },
);
export type ViewPage = Static<typeof ViewPage>;

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
