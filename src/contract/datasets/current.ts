import { Type } from "typebox";
import { CURRENT, endpoint, json } from "../basics/endpoint.ts";
import { Import } from "../imports/import.ts";
import { RowsFileQuery, uploadTypes } from "../imports/import-file.ts";
import { Dataset, DatasetInPath, DatasetPage } from "./dataset.ts";
import { RowPage, RowsDeleted, RowsWritten } from "./row.ts";
import { RowsInput, RowsProblem } from "./row-input.ts";
import { RowQuery, RowsToDelete } from "./row-query.ts";

const shared = { tag: CURRENT, refusals: "current" } as const;
const ofDataset = { ...shared, params: DatasetInPath } as const;

export const listDatasets = endpoint({
  ...shared,
  id: "current.datasets.list",
  method: "GET",
  url: "/api/datasets/",
  summary: "List datasets",
  description: "The project's datasets in the order of their keys.",
  needs: "datasets:read",
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  answers: { 200: json(DatasetPage, "A page of datasets.") },
});

export const getDataset = endpoint({
  ...ofDataset,
  id: "current.datasets.get",
  method: "GET",
  url: "/api/datasets/{id}/",
  summary: "Read a dataset",
  description: "The dataset with its columns.",
  needs: "datasets:read",
  answers: { 200: json(Dataset, "The dataset.") },
  refused: [404],
});

export const queryRows = endpoint({
  ...ofDataset,
  id: "current.datasets.query",
  method: "POST",
  url: "/api/datasets/{id}/query/",
  summary: "Query the rows of a dataset",
  description: "Like a query of leads, over its columns. Newest first unless sort is given.",
  needs: "datasets:read",
  body: RowQuery,
  examples: {
    filter: { filter: { field: "size", op: "gte", value: 50 }, columns: ["domain", "size"], limit: 100 },
    "next page": { limit: 100, offset: 100 },
  },
  answers: { 200: json(RowPage, "A page of rows.", ["X-Leadgate-Warning"]) },
  refused: [404],
});

export const writeRows = endpoint({
  ...ofDataset,
  id: "current.datasets.writeRows",
  method: "POST",
  url: "/api/datasets/{id}/rows/",
  summary: "Write rows",
  description:
    "All of them or none: 422 lists the errors of each row, and nothing was written. Each row sees what the rows before " +
    "it wrote. The body can have 8 MB.",
  needs: "datasets:write",
  body: RowsInput,
  examples: {
    insert: { rows: [{ domain: "example.com", size: 50 }] },
    upsert: {
      rows: [
        { domain: "example.com", size: 60 },
        { domain: "example.org", size: null },
      ],
      mode: "upsert",
    },
  },
  answers: { 200: json(RowsWritten, "The outcome of each row.") },
  refused: [404, 422],
  problems: { 422: RowsProblem },
});

export const deleteRows = endpoint({
  ...ofDataset,
  id: "current.datasets.deleteRows",
  method: "DELETE",
  url: "/api/datasets/{id}/rows/",
  summary: "Delete rows",
  description:
    "Deletes rows: by ids, by keys, or up to 10,000 that match a filter; expected_count must be their number.",
  needs: "datasets:write",
  body: RowsToDelete,
  examples: {
    "by keys": { keys: ["example.com", "example.org"] },
    "by filter": { filter: { field: "size", op: "is_empty" }, expected_count: 12 },
  },
  answers: { 200: json(RowsDeleted, "How many rows were deleted.", ["X-Leadgate-Warning"]) },
  refused: [404, 409, 422],
});

export const importRows = endpoint({
  ...ofDataset,
  id: "current.datasets.import",
  method: "POST",
  url: "/api/datasets/{id}/import/",
  summary: "Import a file into a dataset",
  description:
    "A column fills the column whose key or label it has, unless mapping is given. mode is upsert if the file has the " +
    "key column or _id, otherwise insert. A worker writes the rows; the record has its progress. 409 if dates or " +
    "decimals are ambiguous: set dates or decimals, and send it again.",
  needs: "datasets:import",
  query: RowsFileQuery,
  body: {
    types: uploadTypes("rows"),
    description:
      "CSV (comma, semicolon, tab or |; UTF-8, UTF-16 or windows-1252) or NDJSON of up to 512 MB, or XLSX of up to " +
      "20 MB, as the body itself or as the file of a multipart form.",
  },
  answers: { 202: json(Import, "The import, in state waiting.", ["Location"]) },
  refused: [404, 409, 422],
});

export const getImport = endpoint({
  ...shared,
  id: "current.datasets.getImport",
  method: "GET",
  url: "/api/datasets/{id}/imports/{import}/",
  summary: "Read an import into a dataset",
  description: "The import with its file, mapping, progress and counts.",
  needs: "datasets:import",
  params: Type.Object({
    ...DatasetInPath.properties,
    import: Type.String({ description: "The import's id, such as imp_01k3…" }),
  }),
  answers: { 200: json(Import, "The import.") },
  refused: [404],
});
