import { type Static, type TObject, type TProperties, Type } from "typebox";
import { nextCursor, orNull, Relation, time } from "../basics/basics.ts";
import { PageInfo } from "../basics/page-info.ts";
import { OUTCOMES } from "../lists/outcomes.ts";
import { DatasetInPath } from "./dataset.ts";

/** An object with these members and a column's value under any other name. */
const withColumns = <Members extends TProperties>(
  members: Members,
  options: { $id: string; description: string; examples?: readonly object[] },
) =>
  Type.Unsafe<Static<TObject<Members>> & { [column: string]: unknown }>(
    Type.Object(members, { additionalProperties: true, ...options }),
  );

const _id = Type.String({ description: "The row's id." });
const _lead_id = orNull(Type.String(), {
  description: "The first lead that the row is linked to, looked up now; null without leads:read.",
});
const _version = Type.Integer({ description: "Grows with every change of the row." });

const example = {
  _id: "row_019a2b3c4d5e7f8a9b0c1d2e3f405162",
  _lead_id: "lead_019a2b3c4d5e7f8a9b0c1d2e3f405162",
  _version: 1,
  domain: "example.com",
  size: 50,
  _created_at: "2026-03-31T14:30:00.123456+00:00",
  _updated_at: "2026-03-31T14:30:00.123456+00:00",
};

/** A row with all its columns. */
export const Row = withColumns(
  { _id, _lead_id, _version, _created_at: time, _updated_at: time },
  {
    $id: "Row",
    description: "A row of a dataset, with every column by its key; a missing value is null.",
    examples: [example],
  },
);
export type Row = Static<typeof Row>;

/** A row with the columns that were asked for. */
export const RowPart = withColumns(
  {
    _id,
    _lead_id: Type.Optional(_lead_id),
    _version: Type.Optional(_version),
    _created_at: Type.Optional(time),
    _updated_at: Type.Optional(time),
  },
  {
    $id: "RowPart",
    description: "A row with the requested columns; without columns in the request, with all of them.",
    examples: [example, { _id: example._id, domain: "example.com" }],
  },
);
export type RowPart = Static<typeof RowPart>;

/** A row after it was written, as far as its writer may read it. */
export const WrittenRow = withColumns(
  {
    _id,
    _lead_id: Type.Optional(_lead_id),
    _version,
    _created_at: time,
    _updated_at: time,
  },
  {
    $id: "WrittenRow",
    description: "The row. Its columns and _lead_id are left out for keys that may not read datasets.",
    examples: [example],
  },
);
export type WrittenRow = Static<typeof WrittenRow>;

/** The path parameters of the endpoints of one row. */
export const RowInPath = Type.Object({
  ...DatasetInPath.properties,
  row: Type.String({ description: "The row's id, such as row_01k3…" }),
});

export const RowList = Type.Object(
  {
    rows: Type.Array(RowPart),
    next_cursor: nextCursor,
    total: Type.Optional(Type.Integer({ description: "Only if the request has total." })),
    total_relation: Type.Optional(Relation),
  },
  { $id: "RowList" },
);

export const RowPage = Type.Object({ rows: Type.Array(RowPart), page_info: PageInfo }, { $id: "RowPage" });

/** The outcome of each row of a call, and the counts. */
export const RowsWritten = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: "The position of the row in the request." }),
        id: Type.String(),
        outcome: Type.Enum(OUTCOMES),
        version: Type.Integer(),
      }),
      { description: "In the order of the request." },
    ),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
  },
  {
    $id: "RowsWritten",
    examples: [
      {
        results: [{ index: 0, id: example._id, outcome: "created", version: 1 }],
        created: 1,
        updated: 0,
        unchanged: 0,
      },
    ],
  },
);
export type RowsWritten = Static<typeof RowsWritten>;

export const RowsDeleted = Type.Object(
  {
    deleted: Type.Integer(),
    missing: Type.Array(Type.Union([Type.String(), Type.Number()]), {
      description: "The ids or keys that were not found.",
    }),
  },
  { $id: "RowsDeleted", examples: [{ deleted: 2, missing: ["row_019a2b3c4d5e7f8a9b0c1d2e3f405162"] }] },
);
export type RowsDeleted = Static<typeof RowsDeleted>;
