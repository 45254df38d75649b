import { type Static, Type } from "typebox";
import { closed, orNull } from "../basics/basics.ts";
import { ColumnType, LeadLink } from "./dataset.ts";

const keyOf = (description: string) =>
  Type.String({ pattern: "^[a-z][a-z0-9_]*$", maxLength: 60, description });

/** A column as callers define it. */
export const ColumnInput = Type.Object(
  {
    key: keyOf("Its name in rows: lowercase letters, digits and _."),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Defaults to the key." })),
    type: ColumnType,
    required: Type.Optional(Type.Boolean()),
    unique: Type.Optional(Type.Boolean({ description: "Ignoring case and accents." })),
    options: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500, description: "For enum." }),
    ),
    was: Type.Optional(keyOf("For a change: the current key of a column that gets a new one.")),
  },
  { $id: "ColumnInput", ...closed, description: "A column to define." },
);
export type ColumnInput = Static<typeof ColumnInput>;

const columns = Type.Array(ColumnInput, { minItems: 1, maxItems: 200, description: "In order." });
const key = keyOf("Unique in the project.");
const name = Type.String({ minLength: 1, maxLength: 200 });
const keyColumn = orNull(Type.String({ maxLength: 60 }), {
  description: "The column that identifies rows; it is required and unique.",
});
const leadLink = orNull(LeadLink, {
  description: "Which column links a row to leads, and which lead field it matches.",
});

/** A dataset to create. */
export const DatasetInput = Type.Object(
  {
    key,
    name: Type.Optional(name),
    columns,
    key_column: Type.Optional(keyColumn),
    lead_link: Type.Optional(leadLink),
  },
  { $id: "DatasetInput", ...closed, description: "A dataset to create." },
);
export type DatasetInput = Static<typeof DatasetInput>;

/**
 * What a change of a dataset can name; omitted keys stay unchanged. `columns` is the complete list, and removed columns
 * must also be in `drop`.
 */
export const DatasetChanges = Type.Object(
  {
    key: Type.Optional(key),
    name: Type.Optional(name),
    columns: Type.Optional(columns),
    drop: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: 200,
        description: "Columns to delete with their values.",
      }),
    ),
    key_column: Type.Optional(keyColumn),
    lead_link: Type.Optional(leadLink),
  },
  closed,
);
export type DatasetChanges = Static<typeof DatasetChanges>;

export const DatasetPatch = Type.Object(
  {
    ...DatasetChanges.properties,
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "The same as If-Match." }),
    ),
  },
  {
    $id: "DatasetPatch",
    ...closed,
    description:
      "A change of a dataset; omitted keys stay unchanged. columns is the complete list, and removed columns must also " +
      "be in drop.",
  },
);
