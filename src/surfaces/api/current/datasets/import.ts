import { Type } from "typebox";
import { getRowImport } from "../../../../domain/imports/get-import.ts";
import { importRows, RowsUpload } from "../../../../domain/imports/upload-import.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { sentFile } from "../../../../http/request/sent-file.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { PROBLEMS, Problem } from "../../shared/described.ts";
import { ImportBody } from "../../shared/import-described.ts";
import { ROWS_QUERY } from "../../shared/import-query.ts";
import { pathOf, queryOf } from "../../shared/input.ts";

const usual = { tags: ["datasets"], bearer: true as const };
const dataset = Type.String({ description: "Its id or its key." });

/** An address with and without the slash at its end. */
const both = (url: string, make: (url: string) => Route): readonly Route[] => [make(`${url}/`), make(url)];

const begin = both("/api/datasets/:id/import", (url) =>
  operationRoute({
    method: "POST",
    url,
    stream: true,
    describe: {
      ...usual,
      params: Type.Object({ id: dataset }),
      summary: "Import a file into a dataset",
      description:
        "CSV, NDJSON or XLSX, as the body itself or as the file of a multipart form. A column fills the column whose key or " +
        "label it has, unless mapping is given. mode is upsert if the file has the key column or _id, otherwise insert. A " +
        "worker writes the rows; the record has its progress. 409 if dates or decimals are ambiguous: " +
        "set dates or decimals, and send it again.",
      query: RowsUpload,
      answers: {
        202: ImportBody,
        ...{
          400: Problem,
          404: Problem,
          409: Problem,
          413: Problem,
          415: Problem,
          422: Problem,
          429: Problem,
        },
        ...PROBLEMS,
      },
    },
    caller: apiKey,
    input: (request, caller) => {
      const options = queryOf(request, caller, ROWS_QUERY);
      return { dataset: pathOf(request, "id"), open: () => sentFile(request, options) };
    },
    operation: importRows,
    reply: ({ id, json }) => ({ status: 202, body: json, headers: { Location: `/api/v1/imports/${id}` } }),
  }),
);

const one = both("/api/datasets/:id/imports/:import", (url) =>
  operationRoute({
    method: "GET",
    url,
    describe: {
      ...usual,
      params: Type.Object({ id: dataset, import: Type.String() }),
      summary: "Read an import into a dataset",
      answers: { 200: ImportBody, 404: Problem, ...PROBLEMS },
    },
    caller: apiKey,
    input: (request) => ({ dataset: pathOf(request, "id"), id: pathOf(request, "import") }),
    operation: getRowImport,
    reply: ok,
  }),
);

/** Files of rows under the endpoints without a version. */
export const datasetImportRoutes: readonly Route[] = [...begin, ...one];
