import { type Static, Type } from "typebox";
import { COLUMN_TYPES } from "../../../contract/lists/column-types.ts";
import { Refusal } from "../../../core/refusal.ts";
import { MATCHES } from "../../fields/link.ts";

/** The refusal (412) for a version that is not the current one. */
export const stale = (noun: "dataset" | "row", version: number): Refusal =>
  new Refusal("stale", "stale", `The ${noun} is now at version ${version}. Read it again, then change it.`, {
    faults: [{ path: "version", code: "stale", message: String(version) }],
  });

const closed = { additionalProperties: false };

export const DatasetName = Type.String({ description: "The dataset's id, such as ds_01k3…, or its key." });

const Key = (description: string) =>
  Type.String({ pattern: "^[a-z][a-z0-9_]*$", maxLength: 60, description });

/** A column as callers define it. */
const ColumnInput = Type.Object(
  {
    key: Key("Its name in rows: lowercase letters, digits and _."),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Defaults to the key." })),
    type: Type.Enum([...COLUMN_TYPES]),
    required: Type.Optional(Type.Boolean()),
    unique: Type.Optional(Type.Boolean({ description: "Ignoring case and accents." })),
    options: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500, description: "For enum." }),
    ),
    was: Type.Optional(Key("For a change: the current key of a column that gets a new one.")),
  },
  closed,
);
export type ColumnInput = Static<typeof ColumnInput>;

const LinkInput = Type.Object(
  { column: Type.String({ maxLength: 60 }), match: Type.Enum([...MATCHES]) },
  closed,
);

const columns = Type.Array(ColumnInput, { minItems: 1, maxItems: 200, description: "In order." });
const key = Key("Unique in the project.");
const name = Type.String({ minLength: 1, maxLength: 200 });
const keyColumn = Type.Union([Type.String({ maxLength: 60 }), Type.Null()], {
  description: "The column that identifies rows; it is required and unique.",
});
const leadLink = Type.Union([LinkInput, Type.Null()], {
  description: "Which column links a row to leads, and which lead field it matches.",
});

export const NewDataset = Type.Object(
  {
    key,
    name: Type.Optional(name),
    columns,
    key_column: Type.Optional(keyColumn),
    lead_link: Type.Optional(leadLink),
  },
  closed,
);
export type NewDataset = Static<typeof NewDataset>;

/**
 * A change of a dataset; omitted keys stay unchanged. `columns` is the complete list, and removed columns must also
 * be in `drop`.
 */
export const DatasetPatch = Type.Object(
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
export type DatasetPatch = Static<typeof DatasetPatch>;
