import * as endpoints from "../../../../contract/datasets/rows.ts";
import { deleteRows } from "../../../../domain/datasets/rows/delete-rows.ts";
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
import { bodyOf, pathOf, queryOf } from "../../shared/input.ts";
import { cursorPageJson } from "../../shared/page-json.ts";
import { versionFrom } from "../../shared/preconditions.ts";

const rowReply = ({ version, json }: RowRecord): Reply => ({
  status: 200,
  body: json,
  headers: { ETag: `"${version}"` },
});

/** The rows of a dataset: list them, create one, delete many. */
export const rowListRoutes: readonly Route[] = [
  operationRoute({
    endpoint: endpoints.listRows,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.listRows),
      dataset: pathOf(request, "id"),
    }),
    operation: searchRows,
    reply: (found) => ok(cursorPageJson("rows", found)),
  }),
  operationRoute({
    endpoint: endpoints.createRow,
    caller: apiKey,
    input: (request, ...by) => ({ row: bodyOf(request, ...by), dataset: pathOf(request, "id") }),
    operation: createRow,
    reply: (row) => ({ ...rowReply(row), status: 201 }),
  }),
  operationRoute({
    endpoint: endpoints.deleteRows,
    caller: apiKey,
    input: (request, caller, endpoint) =>
      bodyOf(request, caller, endpoint, { dataset: pathOf(request, "id") }),
    operation: deleteRows,
  }),
];

/** One row of a dataset. */
export const oneRowRoutes: readonly Route[] = [
  operationRoute({
    endpoint: endpoints.getRow,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.getRow),
      dataset: pathOf(request, "id"),
      id: pathOf(request, "row"),
    }),
    operation: getRow,
    reply: rowReply,
  }),
  operationRoute({
    endpoint: endpoints.updateRow,
    caller: apiKey,
    input: (request, ...by) => ({
      row: bodyOf(request, ...by),
      dataset: pathOf(request, "id"),
      id: pathOf(request, "row"),
      ...versionFrom(request, undefined),
    }),
    operation: updateRow,
    reply: rowReply,
  }),
  operationRoute({
    endpoint: endpoints.deleteRow,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.deleteRow),
      dataset: pathOf(request, "id"),
      id: pathOf(request, "row"),
      ...versionFrom(request, undefined),
    }),
    operation: deleteRow,
    reply: () => ({ status: 204 }),
  }),
];
