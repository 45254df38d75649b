import { Type } from "typebox";
import { commaList, paging } from "../basics/basics.ts";
import { endpoint, json, nothing } from "../basics/endpoint.ts";
import { DatasetInPath, tag } from "./dataset.ts";
import { Row, RowInPath, RowList, RowsDeleted, RowsWritten, WrittenRow } from "./row.ts";
import { RowsInput, RowValues } from "./row-input.ts";
import { RowSearch, RowsToDelete } from "./row-query.ts";

const shared = { tag, refusals: "v1" } as const;
const ofDataset = { ...shared, params: DatasetInPath } as const;
const ofRow = { ...shared, params: RowInPath } as const;

export const searchRows = endpoint({
  ...ofDataset,
  id: "datasets.rows.search",
  method: "POST",
  url: "/api/v1/datasets/{id}/query",
  summary: "Search the rows of a dataset",
  description:
    "A page of the rows that match, newest first unless sort is given. A cursor is valid only for its filter, search, " +
    "sort and timezone, and for the dataset's version.",
  needs: "datasets:read",
  body: RowSearch,
  examples: {
    filter: {
      filter: { field: "size", op: "gte", value: 50 },
      sort: [{ field: "size", dir: "desc" }],
      columns: ["domain", "size"],
      limit: 100,
    },
    all: {},
  },
  answers: { 200: json(RowList, "A page of rows.", ["X-Leadgate-Warning"]) },
  refused: [404],
});

export const listRows = endpoint({
  ...ofDataset,
  id: "datasets.rows.list",
  method: "GET",
  url: "/api/v1/datasets/{id}/rows",
  summary: "List the rows of a dataset",
  description: "A page of the dataset's rows, newest first.",
  needs: "datasets:read",
  query: Type.Object({
    ...paging,
    columns: Type.Optional(commaList("The columns to return, separated by commas; _id is always included.")),
  }),
  answers: { 200: json(RowList, "A page of rows.") },
  refused: [404],
});

export const getRow = endpoint({
  ...ofRow,
  id: "datasets.rows.get",
  method: "GET",
  url: "/api/v1/datasets/{id}/rows/{row}",
  summary: "Read a row",
  description: "The row with all its columns. Its version is the ETag, for If-Match.",
  needs: "datasets:read",
  answers: { 200: json(Row, "The row.", ["ETag"]) },
  refused: [404],
});

export const createRow = endpoint({
  ...ofDataset,
  id: "datasets.rows.create",
  method: "POST",
  url: "/api/v1/datasets/{id}/rows",
  summary: "Create a row",
  description:
    "Creates a row. Values that do not fit their columns, or that are not unique, are refused with 422.",
  needs: "datasets:write",
  body: RowValues,
  examples: { row: { domain: "example.com", size: 50 } },
  answers: { 201: json(WrittenRow, "The new row.", ["ETag"]) },
  refused: [404, 422],
});

export const updateRow = endpoint({
  ...ofRow,
  id: "datasets.rows.update",
  method: "PATCH",
  url: "/api/v1/datasets/{id}/rows/{row}",
  summary: "Change a row",
  description: "Changes the given columns; omitted columns stay unchanged, null clears one.",
  needs: "datasets:write",
  ifMatch: true,
  body: RowValues,
  examples: { row: { size: 60 } },
  answers: { 200: json(WrittenRow, "The changed row.", ["ETag"]) },
  refused: [404, 412, 422],
});

export const deleteRow = endpoint({
  ...ofRow,
  id: "datasets.rows.delete",
  method: "DELETE",
  url: "/api/v1/datasets/{id}/rows/{row}",
  summary: "Delete a row",
  description: "Deletes the row. Undoing the change brings it back.",
  needs: "datasets:write",
  ifMatch: true,
  answers: { 204: nothing("The row is deleted.") },
  refused: [404, 412],
});

export const deleteRows = endpoint({
  ...ofDataset,
  id: "datasets.rows.deleteMany",
  method: "DELETE",
  url: "/api/v1/datasets/{id}/rows",
  summary: "Delete rows",
  description:
    "Deletes rows: by ids, by keys, or up to 10,000 that match a filter. With a filter, expected_count " +
    "must be their number: otherwise 409, and nothing was deleted; this needs datasets:read, too.",
  needs: "datasets:write",
  body: RowsToDelete,
  examples: {
    "by ids": { ids: ["row_019a2b3c4d5e7f8a9b0c1d2e3f405162"] },
    "by keys": { keys: ["example.com", "example.org"] },
    "by filter": { filter: { field: "size", op: "is_empty" }, expected_count: 12 },
  },
  answers: { 200: json(RowsDeleted, "How many rows were deleted.", ["X-Leadgate-Warning"]) },
  refused: [404, 409, 422],
});

export const writeRows = endpoint({
  ...ofDataset,
  id: "datasets.rows.write",
  method: "POST",
  url: "/api/v1/datasets/{id}/rows/batch",
  summary: "Write rows",
  description:
    "Writes up to 500 rows in order, all of them or none: 422 lists the errors of each row, and nothing was written. " +
    "Each row sees what the rows before it wrote. The body can have 8 MB.",
  needs: "datasets:write",
  body: RowsInput,
  examples: {
    upsert: {
      rows: [
        { domain: "example.com", size: 50 },
        { domain: "example.org", size: null },
      ],
      mode: "upsert",
    },
  },
  answers: { 200: json(RowsWritten, "The outcome of each row.") },
  refused: [404, 422],
});
