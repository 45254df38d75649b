import type { Endpoint } from "../../../contract/basics/endpoint.ts";
import type { JsonPage } from "../../../domain/imports/list-imports.ts";
import { rowsFile } from "../../../domain/imports/rows-file.ts";
import type { MemberOperation } from "../../../domain/operation/operation.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { fileHeaders } from "./file-headers.ts";
import { pathOf, queryOf } from "./input.ts";

/** Returns a route that lists results of an import with cursors. */
export const importListRoute = <Input>(
  endpoint: Endpoint,
  operation: MemberOperation<Input, JsonPage & { name: string }>,
): Route =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, endpoint), id: pathOf(request, "id") }),
    operation,
    reply: ({ name, json, nextCursor }) =>
      ok(`{"${name}":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
  });

/**
 * Returns a route for a CSV file of those import rows that failed, succeeded or were not reached, with the
 * columns of the uploaded file.
 */
export const importFileRoute = (endpoint: Endpoint, which: "failed" | "successful" | "unprocessed"): Route =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoint),
      id: pathOf(request, "id"),
      which,
    }),
    operation: rowsFile,
    reply: ({ stream }) => ({ status: 200, body: stream, ...fileHeaders(`import-${which}`, "csv") }),
  });
