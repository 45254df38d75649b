import { changeRows, RowsInput } from "../../../../../domain/datasets/rows/change-rows.ts";
import { apiKey } from "../../../../../http/request/api-key.ts";
import { operationRoute } from "../../../../../http/route/route.ts";
import { ChangedRowsBody, LARGE_BODY, RowsDatasetInPath } from "../../../shared/dataset-described.ts";
import { refusals } from "../../../shared/described.ts";
import { bodyOf, pathOf } from "../../../shared/input.ts";

/** `POST /api/v1/datasets/{id}/rows/batch`: writes many rows, all or none. */
export const writeRowsRoute = operationRoute({
  method: "POST",
  url: "/api/v1/datasets/:id/rows/batch",
  bodyLimit: LARGE_BODY,
  describe: {
    tags: ["datasets"],
    bearer: true,
    params: RowsDatasetInPath,
    summary: "Write rows",
    description: "All of them or none: 422 lists the errors of each row, and nothing was written.",
    body: RowsInput,
    answers: { 200: ChangedRowsBody, ...refusals(404, 413, 415, 422) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...bodyOf(request, caller), dataset: pathOf(request, "id") }),
  operation: changeRows,
});
