import { Type } from "typebox";
import { cancelImport } from "../../../domain/imports/cancel-import.ts";
import { getImport } from "../../../domain/imports/get-import.ts";
import type { ImportRow } from "../../../domain/imports/import-record.ts";
import {
  ImportList,
  type JsonPage,
  listImports,
  listRowImports,
} from "../../../domain/imports/list-imports.ts";
import { Mapping } from "../../../domain/imports/mapping/mapping.ts";
import { Rereading, rereadImport } from "../../../domain/imports/reread-import.ts";
import { setMapping } from "../../../domain/imports/set-mapping.ts";
import { commitImport, dryRun, undoImport } from "../../../domain/imports/start-import-job.ts";
import { RowsUpload, Upload, uploadImport, uploadRows } from "../../../domain/imports/upload-import.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { sentFile } from "../../../http/request/sent-file.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { operationRoute, type Route, routeByUrl } from "../../../http/route/route.ts";
import { IdInPath, refusals, stringOrNull } from "../shared/described.ts";
import { ImportBody } from "../shared/import-described.ts";
import { FILE_QUERY, ROWS_QUERY } from "../shared/import-query.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";

const usual = { tags: ["imports"], bearer: true as const };

/** A query that names a dataset selects another operation, with its own permission and limit. */
const byDataset = (leads: Route, rows: Route): Route => routeByUrl(leads, /[?&]dataset=/, rows);

const created = ({ id, json }: ImportRow): Reply => ({
  status: 201,
  body: json,
  headers: { Location: `/api/v1/imports/${id}` },
});

const dataset = Type.Optional(
  Type.String({ description: "The id or key of the dataset, if the file has its rows." }),
);

const uploading = { method: "POST", url: "/api/v1/imports", stream: true, caller: apiKey } as const;
const uploadDescribed = {
  ...usual,
  summary: "Upload a file of leads or rows",
  description:
    "CSV (comma, semicolon, tab, |; UTF-8, UTF-16 or windows-1252), NDJSON or XLSX, as the body itself or as the file " +
    "of a multipart form. Returns what was detected: encoding, columns, the program that wrote it, a mapping. " +
    "Nothing is written before the commit. With dataset, the file has its rows: the call accepts mode, dates, decimals " +
    "and mapping instead of preset, needs datasets:import, and counts as a dataset import.",
  query: Type.Object({ ...RowsUpload.properties, ...Upload.properties, dataset }),
  answers: { 201: ImportBody, ...refusals(404, 413, 415, 422) },
};

const upload = byDataset(
  operationRoute({
    ...uploading,
    describe: uploadDescribed,
    input: (request, caller) => {
      const options = queryOf(request, caller, { ...FILE_QUERY, preset: "text" });
      return { open: () => sentFile(request, options) };
    },
    operation: uploadImport,
    reply: created,
  }),
  operationRoute({
    ...uploading,
    describe: uploadDescribed,
    input: (request, caller) => {
      const { dataset: name, ...options } = queryOf(request, caller, { ...ROWS_QUERY, dataset: "text" });
      return { dataset: name, open: () => sentFile(request, options) };
    },
    operation: uploadRows,
    reply: created,
  }),
);

const listing = { method: "GET", url: "/api/v1/imports", caller: apiKey } as const;
const listDescribed = {
  ...usual,
  summary: "List imports",
  description: "Imports of leads, newest first; with dataset, imports into it, which needs datasets:import.",
  query: Type.Object({ ...ImportList.properties, dataset }),
  answers: {
    200: Type.Object({
      imports: Type.Array(ImportBody),
      next_cursor: stringOrNull,
    }),
    ...refusals(404),
  },
};
const listed = ({ json, nextCursor }: JsonPage): Reply =>
  ok(`{"imports":${json},"next_cursor":${JSON.stringify(nextCursor)}}`);

const list = byDataset(
  operationRoute({
    ...listing,
    describe: listDescribed,
    input: (request, caller) => queryOf(request, caller, { limit: "integer", cursor: "text" }),
    operation: listImports,
    reply: listed,
  }),
  operationRoute({
    ...listing,
    describe: listDescribed,
    input: (request, caller) =>
      queryOf(request, caller, { limit: "integer", cursor: "text", dataset: "text" }),
    operation: listRowImports,
    reply: listed,
  }),
);

const one = operationRoute({
  method: "GET",
  url: "/api/v1/imports/:id",
  describe: {
    ...usual,
    summary: "Read an import",
    params: IdInPath,
    answers: { 200: ImportBody, ...refusals(404) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: getImport,
  reply: ok,
});

const map = operationRoute({
  method: "PUT",
  url: "/api/v1/imports/:id/mapping",
  describe: {
    ...usual,
    summary: "Map columns to fields",
    params: IdInPath,
    body: Mapping,
    answers: { 200: ImportBody, ...refusals(404, 409, 413, 415) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...bodyOf(request, caller), id: pathOf(request, "id") }),
  operation: setMapping,
  reply: ({ json }) => ok(json),
});

const reread = operationRoute({
  method: "PUT",
  url: "/api/v1/imports/:id/file",
  describe: {
    ...usual,
    summary: "Read the file with other options",
    description:
      "With another encoding, delimiter, header or preset; omitted options are detected. The mapping is suggested again.",
    params: IdInPath,
    body: Rereading,
    answers: { 200: ImportBody, ...refusals(404, 409, 410, 413, 415, 422) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...bodyOf(request, caller), id: pathOf(request, "id") }),
  operation: rereadImport,
  reply: ({ json }) => ok(json),
});

const accepted = ({ id, json }: ImportRow): Reply => ({
  status: 202,
  body: json,
  headers: { Location: `/api/v1/imports/${id}` },
});

const acts = [
  {
    act: "dry-run",
    operation: dryRun,
    summary: "Dry-run an import",
    description:
      "Does everything that the commit would do and rolls it back: the record's dry_run has the commit's counts.",
    status: 202,
  },
  {
    act: "commit",
    operation: commitImport,
    summary: "Write the leads or rows of a file",
    description:
      "A worker writes them in batches, each with its counts. A cancelled or failed import continues where it stopped.",
    status: 202,
  },
  {
    act: "cancel",
    operation: cancelImport,
    summary: "Cancel an import",
    description:
      "Counted rows stay written; the others were not written. Cancelling it again is not an error.",
    status: 200,
  },
  {
    act: "undo",
    operation: undoImport,
    summary: "Undo an import",
    description: "Within thirty days. What has changed since then stays and is listed under kept.",
    status: 202,
  },
].map(({ act, operation, summary, description, status }) =>
  operationRoute({
    method: "POST",
    url: `/api/v1/imports/:id/${act}`,
    describe: {
      ...usual,
      summary,
      description,
      params: IdInPath,
      answers: { [status]: ImportBody, ...refusals(404, 409, 410) },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
    operation,
    reply: status === 202 ? accepted : ({ json }) => ok(json),
  }),
);

/** Files of leads, or of dataset rows: upload, mapping, dry run, commit, cancel, undo. */
export const importRoutes: readonly Route[] = [upload, list, one, reread, map, ...acts];
