import { type TSchema, Type } from "typebox";
import type { JsonPage } from "../../../domain/imports/list-imports.ts";
import { rowsFile } from "../../../domain/imports/rows-file.ts";
import type { MemberOperation } from "../../../domain/operation/operation.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { IdInPath, refusals } from "./described.ts";
import { fileHeaders } from "./file-headers.ts";
import { pathOf, queryOf, type Written } from "./input.ts";

const usual = { tags: ["imports"], bearer: true as const, params: IdInPath };

/**
 * Returns a route that lists results of an import with cursors; `filters` are its query parameters besides
 * paging.
 */
export const importListRoute = <Input>(list: {
  url: string;
  summary: string;
  operation: MemberOperation<Input, JsonPage & { name: string }>;
  query: TSchema;
  filters?: Readonly<Record<string, Written>>;
  body: TSchema;
}): Route =>
  operationRoute({
    method: "GET",
    url: list.url,
    describe: {
      ...usual,
      summary: list.summary,
      query: list.query,
      answers: { 200: list.body, ...refusals(404) },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, { limit: "integer", cursor: "text", ...list.filters }),
      id: pathOf(request, "id"),
    }),
    operation: list.operation,
    reply: ({ name, json, nextCursor }) =>
      ok(`{"${name}":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
  });

/**
 * Returns a route for a CSV file of those import rows that failed, succeeded or were not reached, with the
 * columns of the uploaded file.
 */
export const importFileRoute = (file: {
  url: string;
  summary: string;
  which: "failed" | "successful" | "unprocessed";
}): Route =>
  operationRoute({
    method: "GET",
    url: file.url,
    describe: {
      ...usual,
      summary: file.summary,
      description: "A CSV with the columns of the file, which can be uploaded again unchanged.",
      answers: { 200: Type.String(), ...refusals(404, 410) },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, {}),
      id: pathOf(request, "id"),
      which: file.which,
    }),
    operation: rowsFile,
    reply: ({ stream }) => ({ status: 200, body: stream, ...fileHeaders(`import-${file.which}`, "csv") }),
  });
