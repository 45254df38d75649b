import { type Static, Type } from "typebox";
import { closed, orNull, paging } from "../basics/basics.ts";
import { endpoint, json, nothing } from "../basics/endpoint.ts";
import { ColumnType, Dataset, DatasetInPath, DatasetList, LeadLink, tag } from "./dataset.ts";

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

const DatasetPatch = Type.Object(
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

const shared = { tag, refusals: "v1" } as const;

export const listDatasets = endpoint({
  ...shared,
  id: "datasets.list",
  method: "GET",
  url: "/api/v1/datasets",
  summary: "List datasets",
  description: "The project's datasets in the order of their keys.",
  needs: "datasets:read",
  query: Type.Object(paging),
  answers: { 200: json(DatasetList, "A page of datasets.") },
});

export const createDataset = endpoint({
  ...shared,
  id: "datasets.create",
  method: "POST",
  url: "/api/v1/datasets",
  summary: "Create a dataset",
  description:
    "Creates an empty dataset. The column of key_column is required and unique. A project has at most 100 datasets, " +
    "each with 200 columns. A key in use is refused with 409.",
  needs: "datasets:write",
  body: DatasetInput,
  examples: {
    companies: {
      key: "companies",
      name: "Companies",
      columns: [
        { key: "domain", label: "Domain", type: "text" },
        { key: "size", label: "Employees", type: "integer" },
        { key: "plan", type: "enum", options: ["free", "paid"] },
      ],
      key_column: "domain",
      lead_link: { column: "domain", match: "external_id" },
    },
  },
  answers: { 201: json(Dataset, "The new dataset.", ["ETag", "Location"]) },
  refused: [409],
});

export const getDataset = endpoint({
  ...shared,
  id: "datasets.get",
  method: "GET",
  url: "/api/v1/datasets/{id}",
  summary: "Read a dataset",
  description:
    "The dataset with its columns. Its version is the ETag, for If-Match; rows have their own versions.",
  needs: "datasets:read",
  params: DatasetInPath,
  answers: { 200: json(Dataset, "The dataset.", ["ETag"]) },
  refused: [404],
});

export const updateDataset = endpoint({
  ...shared,
  id: "datasets.update",
  method: "PATCH",
  url: "/api/v1/datasets/{id}",
  summary: "Change a dataset",
  description:
    "columns is the whole list in order: was names the current key of a column that gets a new one, and a column to " +
    "delete is named in drop. A new type, required and unique need every row to fit: otherwise 409 with examples, and " +
    "nothing has changed. Rows can be read and written meanwhile. A long change is 202, and change of the " +
    "dataset shows its progress and result.",
  needs: "datasets:write",
  params: DatasetInPath,
  ifMatch: true,
  body: DatasetPatch,
  examples: {
    rename: { name: "Customers" },
    "rename a column and drop another": {
      columns: [
        { key: "domain", label: "Domain", type: "text" },
        { key: "employees", label: "Employees", type: "integer", was: "size" },
      ],
      drop: ["plan"],
      version: 3,
    },
  },
  answers: {
    200: json(Dataset, "The changed dataset.", ["ETag"]),
    202: json(Dataset, "The dataset as it still is; change shows that rows are being checked.", ["ETag"]),
  },
  refused: [404, 409, 412],
});

export const deleteDataset = endpoint({
  ...shared,
  id: "datasets.delete",
  method: "DELETE",
  url: "/api/v1/datasets/{id}",
  summary: "Delete a dataset",
  description: "Deletes the dataset with all its rows, permanently.",
  needs: "datasets:write",
  params: DatasetInPath,
  ifMatch: true,
  answers: { 204: nothing("The dataset is deleted.") },
  refused: [404, 412],
});
