import { type Static, Type } from "typebox";
import { nextCursor, orNull, time } from "../basics/basics.ts";
import type { Tag } from "../basics/endpoint.ts";
import { PageInfo } from "../basics/page-info.ts";
import { Fault } from "../basics/problem.ts";
import { COLUMN_TYPES } from "../lists/column-types.ts";
import { MATCHES, SCHEMA_CHANGE_STATES } from "../lists/datasets.ts";

export const tag: Tag = { name: "datasets", description: "Tables that enrich leads, and their rows." };

/** The path parameter of the endpoints of a dataset. */
export const DatasetInPath = Type.Object({
  id: Type.String({ description: "The dataset's id, such as ds_01k3…, or its key." }),
});

export const ColumnType = Type.Enum(COLUMN_TYPES, {
  $id: "ColumnType",
  description:
    "What the cells of a column hold. date is a day, datetime a timestamp, phone is kept in E.164 (+5511987654321), " +
    "enum is one of the column's options, json any JSON value.",
});

/** A column of a dataset. */
export const Column = Type.Object(
  {
    key: Type.String({ description: "Its name in rows." }),
    label: Type.String({ description: "For people." }),
    type: ColumnType,
    required: Type.Boolean({ description: "Whether every row must have a value." }),
    unique: Type.Boolean({ description: "Whether no two rows can have the same value." }),
    options: Type.Array(Type.String(), { description: "The values of an enum; empty for other types." }),
  },
  { $id: "Column", description: "A column of a dataset." },
);
export type Column = Static<typeof Column>;

/** How the rows of a dataset belong to leads. */
export const LeadLink = Type.Object(
  {
    column: Type.String({ maxLength: 60, description: "The key of the column that identifies leads." }),
    match: Type.Enum(MATCHES, { description: "What of a lead the column's values equal." }),
    personal: Type.Optional(
      Type.Boolean({
        description:
          "Whether the rows are data of the people they are linked to: erasing a person deletes such rows, exporting one includes " +
          "them. Default: true; false for a dataset of companies, for example.",
      }),
    ),
  },
  {
    $id: "LeadLink",
    additionalProperties: false,
    description: "Which column links a row to leads, and by what.",
  },
);
export type LeadLink = Static<typeof LeadLink>;

const DatasetChange = Type.Object(
  {
    state: Type.Enum(SCHEMA_CHANGE_STATES, {
      description: "An abandoned change has no effect, and the next change discards it.",
    }),
    details: Type.Array(Fault, { description: "Of a failed change: examples of rows that do not fit." }),
  },
  { $id: "DatasetChange", description: "A change of columns that has to check or rewrite the rows." },
);

/** A table of the project, whose rows can be linked to leads. */
export const Dataset = Type.Object(
  {
    id: Type.String(),
    key: Type.String({ description: "Unique in the project; can replace the id in URLs." }),
    name: Type.String({ description: "For people." }),
    columns: Type.Array(Column, { description: "In order." }),
    key_column: orNull(Type.String(), { description: "The column that identifies rows." }),
    lead_link: orNull(LeadLink),
    change: orNull(DatasetChange, {
      description: "A change that is being applied to the rows, or why the last one failed.",
    }),
    version: Type.Integer({ description: "Grows with every change of the dataset; rows have their own." }),
    created_at: time,
    updated_at: time,
  },
  {
    $id: "Dataset",
    description: "A table of the project, whose rows can be linked to leads.",
    examples: [
      {
        id: "ds_019a2b3c4d5e7f8a9b0c1d2e3f405162",
        key: "companies",
        name: "Companies",
        columns: [
          { key: "domain", label: "Domain", type: "text", required: true, unique: true, options: [] },
          { key: "size", label: "Employees", type: "integer", required: false, unique: false, options: [] },
        ],
        key_column: "domain",
        lead_link: { column: "domain", match: "external_id", personal: false },
        change: null,
        version: 1,
        created_at: "2026-03-31T14:30:00.123456+00:00",
        updated_at: "2026-03-31T14:30:00.123456+00:00",
      },
    ],
  },
);
export type Dataset = Static<typeof Dataset>;

export const DatasetList = Type.Object(
  { datasets: Type.Array(Dataset, { description: "In the order of their keys." }), next_cursor: nextCursor },
  { $id: "DatasetList" },
);

export const DatasetPage = Type.Object(
  { datasets: Type.Array(Dataset, { description: "In the order of their keys." }), page_info: PageInfo },
  { $id: "DatasetPage" },
);
