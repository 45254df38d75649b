import { DatasetFileQuery, LeadsFileQuery } from "../../../contract/imports/import-file.ts";
import * as endpoints from "../../../contract/imports/imports.ts";
import { answerImport } from "../../../domain/imports/answer-import.ts";
import { cancelImport } from "../../../domain/imports/cancel-import.ts";
import { getImport } from "../../../domain/imports/get-import.ts";
import type { ImportRow } from "../../../domain/imports/import-record.ts";
import { type JsonPage, listImports, listRowImports } from "../../../domain/imports/list-imports.ts";
import { rereadImport } from "../../../domain/imports/reread-import.ts";
import { setMapping } from "../../../domain/imports/set-mapping.ts";
import { commitImport, dryRun, undoImport } from "../../../domain/imports/start-import-job.ts";
import { uploadImport, uploadRows } from "../../../domain/imports/upload-import.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { sentFile } from "../../../http/request/sent-file.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { operationRoute, type Route, routeByQuery } from "../../../http/route/route.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";

/** A query that names a dataset selects another operation, with its own permission and limit. */
const byDataset = (leads: Route, rows: Route): Route => routeByQuery(leads, ["dataset"], rows);

const leadsUpload = { ...endpoints.uploadImport, query: LeadsFileQuery };
const rowsUpload = { ...endpoints.uploadImport, query: DatasetFileQuery };
const leadsList = { ...endpoints.listImports, query: endpoints.listKept.query };

const created = ({ id, json }: ImportRow): Reply => ({
  status: 201,
  body: json,
  headers: { Location: `/api/v1/imports/${id}` },
});

const uploading = { endpoint: endpoints.uploadImport, stream: true, caller: apiKey } as const;

const upload = byDataset(
  operationRoute({
    ...uploading,
    input: (request, caller) => {
      const options = queryOf(request, caller, leadsUpload);
      return { open: () => sentFile(request, options) };
    },
    operation: uploadImport,
    reply: created,
  }),
  operationRoute({
    ...uploading,
    input: (request, caller) => {
      const { dataset: name, ...options } = queryOf(request, caller, rowsUpload);
      return { dataset: name, open: () => sentFile(request, options) };
    },
    operation: uploadRows,
    reply: created,
  }),
);

const listed = ({ json, nextCursor }: JsonPage): Reply =>
  ok(`{"imports":${json},"next_cursor":${JSON.stringify(nextCursor)}}`);

const list = byDataset(
  operationRoute({
    endpoint: endpoints.listImports,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, leadsList),
    operation: listImports,
    reply: listed,
  }),
  operationRoute({
    endpoint: endpoints.listImports,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, endpoints.listImports),
    operation: listRowImports,
    reply: listed,
  }),
);

const one = operationRoute({
  endpoint: endpoints.getImport,
  caller: apiKey,
  input: (request, caller) => ({
    ...queryOf(request, caller, endpoints.getImport),
    id: pathOf(request, "id"),
  }),
  operation: getImport,
  reply: ok,
});

const map = operationRoute({
  endpoint: endpoints.setMapping,
  caller: apiKey,
  input: (request, caller, endpoint) => bodyOf(request, caller, endpoint, { id: pathOf(request, "id") }),
  operation: setMapping,
  reply: ({ json }) => ok(json),
});

const answer = operationRoute({
  endpoint: endpoints.answerImport,
  caller: apiKey,
  input: (request, caller, endpoint) => ({
    id: pathOf(request, "id"),
    answers: bodyOf(request, caller, endpoint),
  }),
  operation: answerImport,
  reply: ({ json }) => ok(json),
});

const reread = operationRoute({
  endpoint: endpoints.rereadImport,
  caller: apiKey,
  input: (request, caller, endpoint) => bodyOf(request, caller, endpoint, { id: pathOf(request, "id") }),
  operation: rereadImport,
  reply: ({ json }) => ok(json),
});

const accepted = ({ id, json }: ImportRow): Reply => ({
  status: 202,
  body: json,
  headers: { Location: `/api/v1/imports/${id}` },
});

const acts = [
  { endpoint: endpoints.dryRun, operation: dryRun, reply: accepted },
  { endpoint: endpoints.commitImport, operation: commitImport, reply: accepted },
  { endpoint: endpoints.cancelImport, operation: cancelImport, reply: ({ json }: ImportRow) => ok(json) },
  { endpoint: endpoints.undoImport, operation: undoImport, reply: accepted },
].map(({ endpoint, operation, reply }) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller) =>
      "body" in endpoint
        ? bodyOf(request, caller, endpoint, { id: pathOf(request, "id") })
        : { ...queryOf(request, caller, endpoint), id: pathOf(request, "id") },
    operation,
    reply,
  }),
);

/** Files of leads, or of dataset rows: upload, mapping, dry run, commit, cancel, undo. */
export const importRoutes: readonly Route[] = [upload, list, one, reread, answer, map, ...acts];
