import { importRows, RowsUpload } from "../../../../domain/imports/upload-import.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { sentFile } from "../../../../http/request/sent-file.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { DatasetInPath } from "../../shared/dataset-described.ts";
import { PROBLEMS, Problem } from "../../shared/described.ts";
import { ImportBody } from "../../shared/import-described.ts";
import { ROWS_QUERY } from "../../shared/import-query.ts";
import { pathOf, queryOf } from "../../shared/input.ts";
import { withSlash } from "../../shared/with-slash.ts";

/** `POST /api/datasets/{id}/import/`: reads a file and writes its rows. */
export const uploadRowsRoutes = withSlash("/api/datasets/:id/import", (url) =>
  operationRoute({
    method: "POST",
    url,
    stream: true,
    describe: {
      tags: ["datasets"],
      bearer: true,
      params: DatasetInPath,
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
