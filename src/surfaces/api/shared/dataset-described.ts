import { Type } from "typebox";
import { COLUMN_TYPES } from "../../../contract/lists/column-types.ts";
import { MATCHES } from "../../../domain/fields/link.ts";
import { LeadPageBody, Problem, stringOrNull, timestamp } from "./described.ts";

/** The size limit of a body that writes rows, in bytes: enough for 500 rows of common size. */
export const LARGE_BODY = 8 * 1_024 * 1_024;

/** The path parameters of a dataset's routes. */
export const DatasetInPath = Type.Object({ id: Type.String({ description: "Its id or its key." }) });

/** The path parameters of the routes of a dataset's rows. */
export const RowsDatasetInPath = Type.Object({
  id: Type.String({ description: "The dataset's id or key." }),
});

/** A dataset as the endpoints return it. */
export const Dataset = Type.Object({
  id: Type.String(),
  key: Type.String(),
  name: Type.String(),
  columns: Type.Array(
    Type.Object({
      key: Type.String(),
      label: Type.String(),
      type: Type.Enum([...COLUMN_TYPES]),
      required: Type.Boolean(),
      unique: Type.Boolean(),
      options: Type.Array(Type.String()),
    }),
  ),
  key_column: stringOrNull,
  lead_link: Type.Union([
    Type.Object({ column: Type.String(), match: Type.Enum([...MATCHES]) }),
    Type.Null(),
  ]),
  change: Type.Union(
    [
      Type.Object({
        state: Type.Enum(["running", "abandoned", "failed"]),
        details: Type.Array(
          Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() }),
        ),
      }),
      Type.Null(),
    ],
    { description: "A change of columns that is being applied to the rows, or why the last one failed." },
  ),
  version: Type.Integer(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A row: its columns, and the fields that every row has. */
export const Row = Type.Object(
  {
    _id: Type.String(),
    _lead_id: Type.Union([Type.String(), Type.Null()], {
      description: "The first lead that the row is linked to, looked up now.",
    }),
    _version: Type.Integer(),
    _created_at: timestamp,
    _updated_at: timestamp,
  },
  { additionalProperties: true, description: "And every column by its key; a missing value is null." },
);

export const RowPageBody = Type.Object({
  rows: Type.Array(Row),
  page_info: LeadPageBody.properties.page_info,
});

export const RowCursorPage = Type.Object({
  rows: Type.Array(Row),
  next_cursor: stringOrNull,
  total: Type.Optional(Type.Integer()),
  total_relation: Type.Optional(Type.Enum(["eq", "gte"])),
});

export const ChangedRowsBody = Type.Object({
  results: Type.Array(
    Type.Object({
      index: Type.Integer(),
      id: Type.String(),
      outcome: Type.Enum(["created", "updated", "unchanged"]),
      version: Type.Integer(),
    }),
  ),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
});

export const DeletedRowsBody = Type.Object({
  deleted: Type.Integer(),
  missing: Type.Array(Type.Union([Type.String(), Type.Number()]), {
    description: "The ids or keys that were not found.",
  }),
});

/** The response to rows that cannot be written; none was. */
export const RowProblem = Type.Object({
  ...Problem.properties,
  errors: Type.Array(
    Type.Object({
      index: Type.Integer({ description: "The position of the row in the request." }),
      column: Type.Union([Type.String(), Type.Null()], { description: "Null for the row as a whole." }),
      code: Type.String(),
      message: Type.String(),
    }),
  ),
});
