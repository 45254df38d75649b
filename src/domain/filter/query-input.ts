import { type Static, Type } from "typebox";
import { Include } from "./include.ts";

const Order = Type.Object(
  {
    field: Type.String({ maxLength: 200 }),
    dir: Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc")])),
    nulls: Type.Optional(Type.Union([Type.Literal("first"), Type.Literal("last")])),
  },
  { additionalProperties: false, description: "dir defaults to asc, nulls to last." },
);

/** The input of a query of leads. */
export const LeadsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    filter: Type.Optional(
      Type.Unknown({
        description:
          '{"and": [Filter…]}, {"or": [Filter…]}, {"not": Filter}, {"view": "view_…"}, {"event": {"type", "where", ' +
          '"occurred", "count", "pick"}}, {"dataset": {"key", "where", "count"}} or {"field", "op", "value"}; at ' +
          "most 8 groups deep, 100 conditions, 10 of events, 5 of datasets, 1,000 values in a list.",
      }),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "Words that must all occur in name, e-mail, phone or company.",
      }),
    ),
    sort: Type.Optional(Type.Array(Order, { maxItems: 3, description: "Default: created_at descending." })),
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 100,
        description: "id is always included; custom.<key> returns custom.",
      }),
    ),
    include: Type.Optional(Include),
    timezone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "IANA time zone for dates without a time; defaults to the project's.",
      }),
    ),
    total: Type.Optional(Type.Union([Type.Literal("exact"), Type.Literal("bounded"), Type.Literal("none")])),
  },
  { additionalProperties: false },
);

export type LeadsQuery = Static<typeof LeadsQuery>;
