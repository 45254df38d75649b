import { Type } from "typebox";
import { anyObject, dateTimeOrNull, orNull, stringOrNull } from "./described.ts";

const objectOrNull = orNull(anyObject);

/** The OpenAPI schema of an import. */
export const ImportBody = Type.Object({
  id: Type.String(),
  state: Type.Enum([
    "ready",
    "checking",
    "waiting",
    "running",
    "done",
    "failed",
    "cancelled",
    "undoing",
    "undone",
  ]),
  file: Type.Object({
    name: Type.String(),
    bytes: Type.Union([Type.Integer(), Type.Null()]),
    format: stringOrNull,
    encoding: stringOrNull,
    bom: Type.Union([Type.Boolean(), Type.Null()]),
    delimiter: stringOrNull,
    header_row: Type.Union([Type.Integer(), Type.Null()]),
    rows: Type.Union([Type.Integer(), Type.Null()]),
    sheet: Type.Union([
      Type.String({ description: "For a spreadsheet, the sheet that is read." }),
      Type.Null(),
    ]),
    sheets: Type.Union([Type.Array(Type.String()), Type.Null()]),
  }),
  dataset: Type.Union([Type.Object({ id: Type.String(), key: stringOrNull }), Type.Null()], {
    description:
      "The dataset that the rows are written to; null for leads. Its key is null once the dataset is deleted.",
  }),
  preset: Type.Union([
    Type.Object({ name: Type.String(), because: Type.Array(Type.String()) }),
    Type.Null({ description: "The program that wrote the file, and the headers that identify it." }),
  ]),
  columns: Type.Array(anyObject, {
    description:
      "Each column with samples, how its dates and decimals are written, and under guess the suggested field, " +
      "found by preset, name or words (the least certain).",
  }),
  mapping: objectOrNull,
  questions: Type.Array(Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() }), {
    description: "What the mapping must declare before anything can be written.",
  }),
  dry_run: Type.Union([anyObject, Type.Null()], {
    description:
      "The counts that a commit will have; repeated: rows of a lead that an earlier row of the file created or " +
      "changed (null for a dataset).",
  }),
  rows: Type.Integer({ description: "Processed rows; the sum of the next five." }),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  skipped: Type.Integer(),
  failed: Type.Integer(),
  undo: objectOrNull,
  error: objectOrNull,
  actor: anyObject,
  created_at: dateTimeOrNull,
  started_at: dateTimeOrNull,
  finished_at: dateTimeOrNull,
  expires_at: dateTimeOrNull,
});

export const FailureList = Type.Object({
  errors: Type.Array(
    Type.Object({
      row: Type.Integer({ description: "The line where the row starts." }),
      errors: Type.Array(Type.Object({ column: Type.String(), code: Type.String(), message: Type.String() })),
      cells: Type.Array(Type.String()),
    }),
  ),
  next_cursor: stringOrNull,
});

export const FailureKinds = Type.Object({
  kinds: Type.Array(
    Type.Object({
      column: Type.String({ description: "Empty if the whole row is wrong." }),
      code: Type.String(),
      message: Type.String({ description: "An example." }),
      rows: Type.Integer(),
      first_row: Type.Integer(),
    }),
  ),
});

export const FillableFields = Type.Object({
  fields: Type.Array(
    Type.Object({ name: Type.String(), type: Type.String(), options: Type.Array(Type.String()) }),
  ),
});

const kept = { reason: Type.String(), fields: Type.Array(Type.String()) };

export const KeptList = Type.Object({
  leads: Type.Optional(Type.Array(Type.Object({ lead_id: Type.String(), ...kept }))),
  rows: Type.Optional(
    Type.Array(Type.Object({ row_id: Type.String(), ...kept }), {
      description: "For a dataset, instead of leads.",
    }),
  ),
  next_cursor: stringOrNull,
});
