import * as exports from "../../../contract/exports.ts";
import { cancelExport } from "../../../domain/exports/cancel-export.ts";
import { exportFile } from "../../../domain/exports/export-file.ts";
import { getExport } from "../../../domain/exports/get-export.ts";
import { listExports } from "../../../domain/exports/list-exports.ts";
import { startExport } from "../../../domain/exports/start-export.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { fileHeaders } from "../shared/file-headers.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";

const start = operationRoute({
  endpoint: exports.createExport,
  caller: apiKey,
  input: bodyOf,
  operation: startExport,
  reply: ({ id, json }) => ({ status: 202, body: json, headers: { Location: `/api/v1/exports/${id}` } }),
});

const list = operationRoute({
  endpoint: exports.listExports,
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, exports.listExports),
  operation: listExports,
  reply: ({ json, nextCursor }) => ok(`{"exports":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
});

const one = operationRoute({
  endpoint: exports.getExport,
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, exports.getExport), id: pathOf(request, "id") }),
  operation: getExport,
  reply: ok,
});

const file = operationRoute({
  endpoint: exports.downloadExport,
  caller: apiKey,
  input: (request, caller) => ({
    ...queryOf(request, caller, exports.downloadExport),
    id: pathOf(request, "id"),
  }),
  operation: exportFile,
  reply: ({ id, stream, format, bytes }) => {
    const { type, headers } = fileHeaders(`leads-${id}`, format);
    return { status: 200, body: stream, type, headers: { ...headers, "Content-Length": String(bytes) } };
  },
});

const cancel = operationRoute({
  endpoint: exports.cancelExport,
  caller: apiKey,
  input: (request, caller) => ({
    ...queryOf(request, caller, exports.cancelExport),
    id: pathOf(request, "id"),
  }),
  operation: cancelExport,
  reply: ok,
});

/** Exports that run in the background. */
export const exportRoutes: readonly Route[] = [start, list, one, file, cancel];
