import * as endpoints from "../../../../contract/datasets/rows.ts";
import { searchRows } from "../../../../domain/datasets/rows/search-rows.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { bodyOf, pathOf } from "../../shared/input.ts";
import { cursorPageJson } from "../../shared/page-json.ts";

/** `POST /api/v1/datasets/{id}/query`: one page of rows by cursor. */
export const searchRowsRoute = operationRoute({
  endpoint: endpoints.searchRows,
  caller: apiKey,
  input: (request, caller, endpoint) => bodyOf(request, caller, endpoint, { dataset: pathOf(request, "id") }),
  operation: searchRows,
  reply: (found) => ok(cursorPageJson("rows", found)),
});
