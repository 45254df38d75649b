import { Type } from "typebox";
import { RowsSearch } from "../../../../domain/datasets/rows/rows-query.ts";
import { searchRows } from "../../../../domain/datasets/rows/search-rows.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { RowCursorPage, RowsDatasetInPath } from "../../shared/dataset-described.ts";
import { refusals } from "../../shared/described.ts";
import { bodyOf, pathOf } from "../../shared/input.ts";
import { cursorPageJson } from "../../shared/page-json.ts";

const { dataset: _, ...search } = RowsSearch.properties;

/** `POST /api/v1/datasets/{id}/query`: one page of rows by cursor. */
export const searchRowsRoute = operationRoute({
  method: "POST",
  url: "/api/v1/datasets/:id/query",
  describe: {
    tags: ["datasets"],
    bearer: true,
    params: RowsDatasetInPath,
    summary: "Search the rows of a dataset",
    description:
      "A cursor is valid only for its filter, search, sort and timezone, and for the dataset's version.",
    body: Type.Object(search, { additionalProperties: false }),
    answers: { 200: RowCursorPage, ...refusals(404, 413, 415) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...bodyOf(request, caller), dataset: pathOf(request, "id") }),
  operation: searchRows,
  reply: (found) => ok(cursorPageJson("rows", found)),
});
