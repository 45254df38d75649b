import { Type } from "typebox";
import { countFailures, FailurePage, listFailures, listKept } from "../../../../domain/imports/failures.ts";
import { listImportFields } from "../../../../domain/imports/list-import-fields.ts";
import { ImportList } from "../../../../domain/imports/list-imports.ts";
import { rowsFile } from "../../../../domain/imports/rows-file.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { refusals } from "../../shared/described.ts";
import { fileHeaders } from "../../shared/file-headers.ts";
import { FailureKinds, FailureList, FillableFields, KeptList } from "../../shared/import-described.ts";
import { pathOf, queryOf } from "../../shared/input.ts";

const params = Type.Object({ id: Type.String() });
const usual = { tags: ["imports"], bearer: true as const };

const PAGE_QUERY = { limit: "integer", cursor: "text" } as const;

const kinds = operationRoute({
  method: "GET",
  url: "/api/v1/imports/:id/errors/kinds",
  describe: {
    ...usual,
    summary: "Count the errors by column and code",
    description: "The 200 most frequent, the most frequent first.",
    params,
    answers: { 200: FailureKinds, ...refusals(404) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: countFailures,
  reply: (json) => ok(`{"kinds":${json}}`),
});

const fields = operationRoute({
  method: "GET",
  url: "/api/v1/imports/:id/fields",
  describe: {
    ...usual,
    summary: "List what a column can fill",
    description: "Fields of leads, or columns of the import's dataset, and how their cells are read.",
    params,
    answers: { 200: FillableFields, ...refusals(404) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: listImportFields,
  reply: (all) => ok({ fields: all }),
});

const lists = [
  {
    url: "errors",
    operation: listFailures,
    summary: "List the rows that failed",
    body: FailureList,
    query: FailurePage,
    kinds: { ...PAGE_QUERY, column: "text", code: "text" } as const,
  },
  {
    url: "kept",
    operation: listKept,
    summary: "List what an undo kept",
    body: KeptList,
    query: ImportList,
    kinds: PAGE_QUERY,
  },
].map(({ url, operation, summary, body, query, kinds }) =>
  operationRoute({
    method: "GET",
    url: `/api/v1/imports/:id/${url}`,
    describe: { ...usual, summary, params, query, answers: { 200: body, ...refusals(404) } },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, kinds),
      id: pathOf(request, "id"),
    }),
    operation,
    reply: ({ name, json, nextCursor }) =>
      ok(`{"${name}":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
  }),
);

const files = [
  { url: "errors.csv", which: "failed", summary: "Download the rows that failed, with the reasons" },
  { url: "successful.csv", which: "successful", summary: "Download the rows that succeeded" },
  { url: "unprocessed.csv", which: "unprocessed", summary: "Download the rows that were not reached" },
].map(({ url, which, summary }) =>
  operationRoute({
    method: "GET",
    url: `/api/v1/imports/:id/${url}`,
    describe: {
      ...usual,
      summary,
      description: "A CSV with the columns of the file, which can be uploaded again unchanged.",
      params,
      answers: { 200: Type.String(), ...refusals(404, 410) },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id"), which }),
    operation: rowsFile,
    reply: ({ stream }) => {
      const { type, headers } = fileHeaders(`import-${which}`, "csv");
      return { status: 200, body: stream, type, headers };
    },
  }),
);

/** The rows of an import, and what its undo left. */
export const importRowRoutes: readonly Route[] = [kinds, fields, ...lists, ...files];
