import { type TSchema, Type } from "typebox";
import { deleteRows, RowsToDelete } from "../../../../domain/datasets/rows/delete-rows.ts";
import {
  createRow,
  deleteRow,
  getRow,
  type RowRecord,
  updateRow,
} from "../../../../domain/datasets/rows/one-row.ts";
import { searchRows } from "../../../../domain/datasets/rows/search-rows.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { DeletedRowsBody, Row, RowCursorPage, RowsDatasetInPath } from "../../shared/dataset-described.ts";
import { refusals } from "../../shared/described.ts";
import { bodyOf, pathOf, queryOf, versionFrom } from "../../shared/input.ts";
import { cursorPageJson } from "../../shared/page-json.ts";

const usual = { tags: ["datasets"], bearer: true as const };
const ofDataset = { ...usual, params: RowsDatasetInPath };
const ofRow = { ...usual, params: Type.Object({ ...RowsDatasetInPath.properties, row: Type.String() }) };
const values: TSchema = Type.Object(
  {},
  { additionalProperties: true, description: "A value per column; null clears one." },
);

const rowReply = ({ version, json }: RowRecord): Reply => ({
  status: 200,
  body: json,
  headers: { ETag: `"${version}"` },
});

/** The rows of a dataset: list them, create one, delete many. */
export const rowListRoutes: readonly Route[] = [
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
      answers: { 200: RowCursorPage, ...refusals(404) },
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
];

/** One row of a dataset. */
export const oneRowRoutes: readonly Route[] = [
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
