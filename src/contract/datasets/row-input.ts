import { type Static, Type } from "typebox";
import { orNull } from "../basics/basics.ts";
import { SimpleProblem } from "../basics/problem.ts";
import { ROW_MODES } from "../lists/datasets.ts";

/** The values of a row by column. */
export const RowValues = Type.Record(Type.String(), Type.Unknown(), {
  $id: "RowValues",
  description: "A value for each column by its key; null clears one. Omitted columns stay unchanged.",
  examples: [{ domain: "example.com", size: 50 }],
});
export type RowValues = Static<typeof RowValues>;

const RowToWrite = Type.Unsafe<{ _id?: string; [column: string]: unknown }>(
  Type.Object(
    { _id: Type.Optional(Type.String({ description: "The id of an existing row, for upsert and update." })) },
    {
      $id: "RowToWrite",
      additionalProperties: true,
      description: "A value for each column by its key; null clears one. Omitted columns stay unchanged.",
      examples: [{ domain: "example.com", size: 50 }],
    },
  ),
);

/** The rows of a call, each of any shape: a wrong one is reported with its position. */
export const RowsInput = Type.Object(
  {
    rows: Type.Array(RowToWrite, {
      minItems: 1,
      maxItems: 500,
      description: "In order; a row sees what the rows before it wrote.",
    }),
    mode: Type.Optional(
      Type.Enum(ROW_MODES, {
        description: "Default: insert. upsert and update find rows by _id or the key column.",
      }),
    ),
  },
  { $id: "RowsInput", additionalProperties: false, description: "Rows to write, all or none." },
);

/** The refusal of rows in the endpoints without a version. */
export const RowsProblem = Type.Object(
  {
    ...SimpleProblem.properties,
    errors: Type.Array(
      Type.Object({
        index: Type.Integer({ description: "The position of the row in the request." }),
        column: orNull(Type.String(), { description: "Null for the row as a whole." }),
        code: Type.String({ description: "Stable, for programs." }),
        message: Type.String({ description: "For people." }),
      }),
      { description: "At most 500." },
    ),
  },
  {
    $id: "RowsProblem",
    description: "Why rows were not written; none was.",
    examples: [
      {
        detail: "$.rows[1].size: must be an integer",
        code: "type",
        errors: [{ index: 1, column: "size", code: "type", message: "must be an integer" }],
      },
    ],
  },
);
export type RowsProblem = Static<typeof RowsProblem>;
