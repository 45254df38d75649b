import { type Static, Type } from "typebox";
import { LeadsQuery } from "../filter/query-input.ts";

const { filter, search, sort, timezone, offset, total } = LeadsQuery.properties;
const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 200, description }));

/** Which leads are to be exported, and how the file looks. */
export const LeadsExport = Type.Object(
  {
    filter,
    search,
    sort,
    timezone,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "At most so many leads; all that match where left out.",
      }),
    ),
    offset,
    // of no effect: a query's body may have it
    total,
    format: Type.Optional(
      Type.Union([Type.Literal("csv"), Type.Literal("ndjson"), Type.Literal("json")], {
        description: "csv where left out.",
      }),
    ),
    columns: names(
      "Fields in this order, custom.<key> too. Where left out: every field, in a CSV with a column per custom field.",
    ),
    fields: names("The same as columns, under the name that queries use."),
    delimiter: Type.Optional(
      Type.Union([Type.Literal(","), Type.Literal(";"), Type.Literal("\t")], {
        description: "Of a CSV; a comma.",
      }),
    ),
    bom: Type.Optional(
      Type.Boolean({ description: "Begin a CSV with a byte order mark, by which Excel knows UTF-8." }),
    ),
  },
  { additionalProperties: false },
);

export type LeadsExport = Static<typeof LeadsExport>;
