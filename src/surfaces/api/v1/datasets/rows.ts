import { type TSchema, Type } from "typebox";
import { changeRows, RowsInput } from "../../../../domain/datasets/rows/change-rows.ts";
import { deleteRows, RowsToDelete } from "../../../../domain/datasets/rows/delete-rows.ts";
import {
  createRow,
  deleteRow,
  getRow,
  type RowRecord,
  updateRow,
} from "../../../../domain/datasets/rows/one-row.ts";
import { RowsSearch } from "../../../../domain/datasets/rows/rows-query.ts";
import { searchRows } from "../../../../domain/datasets/rows/search-rows.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { ChangedRowsBody, DeletedRowsBody, Row } from "../../shared/dataset-described.ts";
import { refusals } from "../../shared/described.ts";
import { bodyOf, pathOf, queryOf, versionFrom } from "../../shared/input.ts";
import { cursorPageJson } from "../../shared/page-json.ts";

const LARGE_BODY = 8 * 1_024 * 1_024;

const usual = { tags: ["datasets"], bearer: true as const };
const dataset = Type.String({ description: "The dataset's id or key." });
const ofDataset = { ...usual, params: Type.Object({ id: dataset }) };
const ofRow = { ...usual, params: Type.Object({ id: dataset, row: Type.String() }) };
const closed = { additionalProperties: false };
const { dataset: _, ...search } = RowsSearch.properties;
const values: TSchema = Type.Object(
  {},
  { additionalProperties: true, description: "A value per column; null clears one." },
);
const page = Type.Object({
  rows: Type.Array(Row),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  total: Type.Optional(Type.Integer()),
  total_relation: Type.Optional(Type.Enum(["eq", "gte"])),
});

const rowReply = ({ version, json }: RowRecord): Reply => ({
  status: 200,
  body: json,
  headers: { ETag: `"${version}"` },
});

/** The rows of a dataset. */
export const datasetRowRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/datasets/:id/rows",
    describe: {
      ...ofDataset,
      summary: "List the rows of a dataset",
      description: "Newest first.",
      query: Type.Object({
        limit: Type.Optional(Type.Integer()),
        cursor: Type.Optional(Type.String()),
        columns: Type.Optional(Type.String({ description: "Separated by commas." })),
      }),
      answers: { 200: page, ...refusals(404) },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, { limit: "integer", cursor: "text", columns: "list" }),
      dataset: pathOf(request, "id"),
    }),
    operation: searchRows,
    reply: (found) => ok(cursorPageJson("rows", found)),
  }),
  operationRoute({
    method: "POST",
    url: "/api/v1/datasets/:id/query",
    describe: {
      ...ofDataset,
      summary: "Search the rows of a dataset",
      description:
        "A cursor is valid only for its filter, search, sort and timezone, and for the dataset's version.",
      body: Type.Object(search, closed),
      answers: { 200: page, ...refusals(404, 413, 415) },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...bodyOf(request, caller), dataset: pathOf(request, "id") }),
    operation: searchRows,
    reply: (found) => ok(cursorPageJson("rows", found)),
  }),
  operationRoute({
    method: "POST",
    url: "/api/v1/datasets/:id/rows",
    describe: {
      ...ofDataset,
      summary: "Create a row",
      body: values,
      answers: { 201: Row, ...refusals(404, 413, 415, 422) },
    },
    caller: apiKey,
    input: (request, caller) => ({ row: bodyOf(request, caller), dataset: pathOf(request, "id") }),
    operation: createRow,
    reply(row) {
      const { headers, ...reply } = rowReply(row);
      return { ...reply, status: 201, headers: { ...headers } };
    },
  }),
  operationRoute({
    method: "POST",
    url: "/api/v1/datasets/:id/rows/batch",
    bodyLimit: LARGE_BODY,
    describe: {
      ...ofDataset,
      summary: "Write rows",
      description: "All of them or none: 422 lists the errors of each row, and nothing was written.",
      body: RowsInput,
      answers: { 200: ChangedRowsBody, ...refusals(404, 413, 415, 422) },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...bodyOf(request, caller), dataset: pathOf(request, "id") }),
    operation: changeRows,
  }),
  operationRoute({
    method: "DELETE",
    url: "/api/v1/datasets/:id/rows",
    describe: {
      ...ofDataset,
      summary: "Delete rows",
      description: "By ids, by keys, or all that match a filter; expected_count must be their number.",
      body: RowsToDelete,
      answers: { 200: DeletedRowsBody, ...refusals(404, 409, 415, 422) },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...bodyOf(request, caller), dataset: pathOf(request, "id") }),
    operation: deleteRows,
  }),
  operationRoute({
    method: "GET",
    url: "/api/v1/datasets/:id/rows/:row",
    describe: { ...ofRow, summary: "Read a row", answers: { 200: Row, ...refusals(404) } },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, {}),
      dataset: pathOf(request, "id"),
      id: pathOf(request, "row"),
    }),
    operation: getRow,
    reply: rowReply,
  }),
  operationRoute({
    method: "PATCH",
    url: "/api/v1/datasets/:id/rows/:row",
    describe: {
      ...ofRow,
      summary: "Change a row",
      description:
        "Omitted columns stay unchanged. With If-Match, 412 unless it is the row's current version.",
      body: values,
      answers: { 200: Row, ...refusals(404, 412, 413, 415, 422) },
    },
    caller: apiKey,
    input: (request, caller) => ({
      row: bodyOf(request, caller),
      dataset: pathOf(request, "id"),
      id: pathOf(request, "row"),
      ...versionFrom(request, undefined),
    }),
    operation: updateRow,
    reply: rowReply,
  }),
  operationRoute({
    method: "DELETE",
    url: "/api/v1/datasets/:id/rows/:row",
    describe: { ...ofRow, summary: "Delete a row", answers: { 204: Type.Null(), ...refusals(404, 412) } },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, {}),
      dataset: pathOf(request, "id"),
      id: pathOf(request, "row"),
      ...versionFrom(request, undefined),
    }),
    operation: deleteRow,
    reply: () => ({ status: 204 }),
  }),
];
