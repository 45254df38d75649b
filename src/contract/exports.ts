import { type Static, Type } from "typebox";
import { Actor } from "./basics/actor.ts";
import { IdInPath, nextCursor, orNull, paging } from "./basics/basics.ts";
import { endpoint, file, json, type Tag } from "./basics/endpoint.ts";
import { JobError, JobState, jobTimes } from "./jobs/jobs.ts";
import { LeadsExport } from "./leads/query.ts";

const tag: Tag = { name: "exports", description: "Files of leads, made in the background." };

const { format: _, ...query } = LeadsExport.properties;

const ExportQuery = Type.Object(query, {
  $id: "ExportQuery",
  description: "The request: which leads, and the columns of the file.",
});

/** A file of leads that is made in the background. */
export const Export = Type.Object(
  {
    id: Type.String(),
    state: JobState,
    format: Type.Enum(["csv", "ndjson", "json"]),
    query: ExportQuery,
    actor: Actor,
    done: Type.Integer({ description: "How many of total rows are done." }),
    total: orNull(Type.Integer(), {
      description: "Null until they are counted, and if counting takes too long.",
    }),
    bytes: orNull(Type.Integer(), {
      description: "The size of the file; null until it is done.",
    }),
    error: orNull(JobError),
    ...jobTimes,
    expires_at: orNull(Type.String({ format: "date-time" }), {
      description:
        "When the file is deleted; null until it is done. It becomes the present when newer files need the space.",
    }),
  },
  {
    $id: "Export",
    description: "A file of leads, which is made in the background.",
    examples: [
      {
        id: "exp_01kagx3m5w8q2r7t9v4c6d1f0h",
        state: "done",
        format: "csv",
        query: {
          filter: { field: "status", op: "eq", value: "new" },
          columns: ["external_id", "name", "email"],
        },
        actor: { type: "key", id: "key_01kagx3m5w8q2r7t9v4c6d1f0h", label: "My CRM" },
        done: 1_200,
        total: 1_200,
        bytes: 61_440,
        error: null,
        created_at: "2026-03-31T14:30:00.123456+00:00",
        started_at: "2026-03-31T14:30:01.123456+00:00",
        finished_at: "2026-03-31T14:30:02.123456+00:00",
        expires_at: "2026-04-07T14:30:02.123456+00:00",
      },
    ],
  },
);
export type Export = Static<typeof Export>;

const ExportPage = Type.Object(
  { exports: Type.Array(Export), next_cursor: nextCursor },
  { $id: "ExportPage" },
);

const usual = { tag, refusals: "v1", needs: "leads:read" } as const;

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
