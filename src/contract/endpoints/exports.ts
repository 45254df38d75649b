import { Type } from "typebox";
import { IdInPath, paging } from "../nouns/basics/basics.ts";
import { Export, ExportPage } from "../nouns/export.ts";
import { LeadsExport } from "../nouns/query.ts";
import { endpoint, file, json } from "./shared/endpoint.ts";

const usual = { tag: "exports", refusals: "v1", needs: "leads:read" } as const;

export const createExport = endpoint({
  ...usual,
  id: "exports.create",
  method: "POST",
  url: "/api/v1/exports",
  summary: "Start an export",
  description:
    "A worker creates a file of all leads that match. Check its state until it is done, then download the file " +
    "before it expires: after seven days, unless the operator set another time, or when newer files need its space, because " +
    "a project keeps a limited number of bytes. A file larger than that fails with the error file_too_large. The " +
    "key must still be valid when the work starts. 429 while 20 exports are unfinished.",
  body: LeadsExport,
  examples: {
    new: {
      filter: { field: "status", op: "eq", value: "new" },
      format: "csv",
      columns: ["external_id", "name", "email", "custom.plan"],
    },
    everything: { format: "ndjson" },
  },
  answers: { 202: json(Export, "The export, which is waiting.", ["Location", "X-Leadgate-Warning"]) },
});

export const listExports = endpoint({
  ...usual,
  id: "exports.list",
  method: "GET",
  url: "/api/v1/exports",
  summary: "List exports",
  description: "The project's exports, newest first.",
  query: Type.Object(paging),
  answers: { 200: json(ExportPage, "A page of exports.") },
});

export const getExport = endpoint({
  ...usual,
  id: "exports.get",
  method: "GET",
  url: "/api/v1/exports/{id}",
  summary: "Read an export",
  description: "Its state and progress.",
  params: IdInPath,
  answers: { 200: json(Export, "The export.") },
  refused: [404],
});

export const downloadExport = endpoint({
  ...usual,
  id: "exports.download",
  method: "GET",
  url: "/api/v1/exports/{id}/file",
  summary: "Download an export's file",
  description:
    "409 until the export is done, or if it failed or was cancelled; 410 once its file has expired.",
  params: IdInPath,
  answers: {
    200: file(
      ["text/csv", "application/x-ndjson", "application/json"],
      "The file in the format of the export; JSON is an array of leads.",
    ),
  },
  refused: [404, 409, 410],
});

export const cancelExport = endpoint({
  ...usual,
  id: "exports.cancel",
  method: "POST",
  url: "/api/v1/exports/{id}/cancel",
  summary: "Cancel an export",
  description:
    "Stops an export that is waiting or running. Cancelling it again is not an error; 409 if it ended in another way.",
  params: IdInPath,
  answers: { 200: json(Export, "The export, which is cancelled.") },
  refused: [404, 409],
});
