import { writeRows } from "../../../../../contract/datasets/rows.ts";
import { changeRows } from "../../../../../domain/datasets/rows/change-rows.ts";
import { apiKey } from "../../../../../http/request/api-key.ts";
import { operationRoute } from "../../../../../http/route/route.ts";
import { bodyOf, pathOf } from "../../../shared/input.ts";
import { LARGE_BODY } from "../../../shared/large-body.ts";

/** `POST /api/v1/datasets/{id}/rows/batch`: writes many rows, all or none. */
export const writeRowsRoute = operationRoute({
  endpoint: writeRows,
  bodyLimit: LARGE_BODY,
  caller: apiKey,
  input: (request, caller, endpoint) => bodyOf(request, caller, endpoint, { dataset: pathOf(request, "id") }),
  operation: changeRows,
});
