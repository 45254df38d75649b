import { Type } from "typebox";
import { LeadsExport } from "../../../contract/nouns/query.ts";
import { cancelExport } from "../../../domain/exports/cancel-export.ts";
import { exportFile } from "../../../domain/exports/export-file.ts";
import { getExport } from "../../../domain/exports/get-export.ts";
import { listExports } from "../../../domain/exports/list-exports.ts";
import { startExport } from "../../../domain/exports/start-export.ts";
import { JobList } from "../../../domain/jobs/job-page.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { IdInPath, refusals, stringOrNull } from "../shared/described.ts";
import { fileHeaders } from "../shared/file-headers.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";
import { ExportBody } from "../shared/job-described.ts";

const usual = { tags: ["exports"], bearer: true as const };

const start = operationRoute({
  method: "POST",
  url: "/api/v1/exports",
  describe: {
    ...usual,
    summary: "Start an export",
    description:
      "A worker creates a file of all leads that match. Check its state until it is done, then download the file " +
      "within seven days. The key must still be valid when the work starts.",
    body: LeadsExport,
    answers: { 202: ExportBody, ...refusals(413, 415) },
  },
  caller: apiKey,
  input: bodyOf,
  operation: startExport,
  reply: ({ id, json }) => ({ status: 202, body: json, headers: { Location: `/api/v1/exports/${id}` } }),
});

const list = operationRoute({
  method: "GET",
  url: "/api/v1/exports",
  describe: {
    ...usual,
    summary: "List exports",
    description: "The project's exports, newest first.",
    query: JobList,
    answers: {
      200: Type.Object({
        exports: Type.Array(ExportBody),
        next_cursor: stringOrNull,
      }),
      ...refusals(),
    },
  },
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, { limit: "integer", cursor: "text" }),
  operation: listExports,
  reply: ({ json, nextCursor }) => ok(`{"exports":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
});

const one = operationRoute({
  method: "GET",
  url: "/api/v1/exports/:id",
  describe: {
    ...usual,
    summary: "Read an export",
    params: IdInPath,
    answers: { 200: ExportBody, ...refusals(404) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: getExport,
  reply: ok,
});

const file = operationRoute({
  method: "GET",
  url: "/api/v1/exports/:id/file",
  describe: {
    ...usual,
    summary: "Download an export's file",
    description: "409 until the export is done, 410 once its file has expired.",
    params: IdInPath,
    answers: { 200: Type.String(), ...refusals(404, 409, 410) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: exportFile,
  reply: ({ id, stream, format, bytes }) => {
    const { type, headers } = fileHeaders(`leads-${id}`, format);
    return { status: 200, body: stream, type, headers: { ...headers, "Content-Length": String(bytes) } };
  },
});

const cancel = operationRoute({
  method: "POST",
  url: "/api/v1/exports/:id/cancel",
  describe: {
    ...usual,
    summary: "Cancel an export",
    description:
      "Stops an export that is waiting or running. Cancelling it again is not an error; 409 if it ended in another way.",
    params: IdInPath,
    answers: { 200: ExportBody, ...refusals(404, 409) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: cancelExport,
  reply: ok,
});

/** Exports that run in the background. */
export const exportRoutes: readonly Route[] = [start, list, one, file, cancel];
