import { type Static, Type } from "typebox";
import { closed } from "../basics/basics.ts";
import { constantOf, howFar } from "../basics/constants.ts";
import { RowFilter } from "../filters/row-filter.ts";

const RowOrder = Type.Object(
  {
    field: Type.String({
      maxLength: 200,
      description: "The key of a column, or _id, _lead_id, _version, _created_at, _updated_at.",
    }),
    dir: Type.Optional(constantOf(["asc", "desc"])),
    nulls: Type.Optional(constantOf(["first", "last"])),
  },
  { $id: "RowOrder", ...closed, description: "dir defaults to asc, nulls to last." },
);

const selection = {
  filter: Type.Optional(RowFilter),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: "Words that must all occur in the row's text columns." }),
  ),
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "IANA time zone for dates without a time; defaults to the project's.",
    }),
  ),
};

const query = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
  ...selection,
  sort: Type.Optional(Type.Array(RowOrder, { maxItems: 3, description: "Default: newest first." })),
  columns: Type.Optional(
    Type.Array(Type.String({ maxLength: 60 }), { maxItems: 210, description: "_id is always included." }),
  ),
};

/** A query of a dataset's rows by offset. */
export const RowQuery = Type.Object(
  {
    ...query,
    total: howFar("How far to count: bounded, the default, up to 10,000."),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  },
  { $id: "RowQuery", ...closed, description: "Which rows of a dataset, in which order." },
);
export type RowQuery = Static<typeof RowQuery>;

/** A query of a dataset's rows by cursor. */
export const RowSearch = Type.Object(
  {
    ...query,
    total: howFar("How far to count: bounded up to 10,000. Default: none."),
    cursor: Type.Optional(
      Type.String({ maxLength: 100_000, description: "next_cursor of the previous page." }),
    ),
  },
  { $id: "RowSearch", ...closed, description: "Which rows of a dataset, in which order." },
);
export type RowSearch = Static<typeof RowSearch>;

/** The rows to delete. */
export const RowsToDelete = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 500 })),
    keys: Type.Optional(
      Type.Array(Type.Union([Type.String({ maxLength: 20_000 }), Type.Number()]), {
        minItems: 1,
        maxItems: 500,
        description: "Values of the key column.",
      }),
    ),
    ...selection,
    expected_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "How many rows the filter matches; 409 if the number differs.",
      }),
    ),
  },
  {
    $id: "RowsToDelete",
    ...closed,
    description:
      "Exactly one of ids, keys and filter; a filter needs expected_count, and can have search and timezone.",
  },
);
export type RowsToDelete = Static<typeof RowsToDelete>;
