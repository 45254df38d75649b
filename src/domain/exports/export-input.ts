import { type Static, Type } from "typebox";
import { LeadsQuery } from "../filter/query-input.ts";

const { filter, search, sort, timezone, offset, total } = LeadsQuery.properties;
const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 200, description }));

/** Which leads to export, and the format of the file. */
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
        description: "The maximum number of leads; by default, all that match.",
      }),
    ),
    offset,
    // ignored: it is accepted because the body of a query may contain it
    total,
    format: Type.Optional(
      Type.Union([Type.Literal("csv"), Type.Literal("ndjson"), Type.Literal("json")], {
        description: "Default: csv.",
      }),
    ),
    columns: names(
      "Fields in this order, including custom.<key>. Default: every field; a CSV has a column per custom field.",
    ),
    fields: names("The same as columns, under the name used in queries."),
    delimiter: Type.Optional(
      Type.Union([Type.Literal(","), Type.Literal(";"), Type.Literal("\t")], {
        description: "For CSV; defaults to a comma.",
      }),
    ),
    bom: Type.Optional(
      Type.Boolean({ description: "Start a CSV with a byte order mark so that Excel reads it as UTF-8." }),
    ),
  },
  { additionalProperties: false },
);

export type LeadsExport = Static<typeof LeadsExport>;
