import { listImportFields } from "../../../../domain/imports/list-import-fields.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { IdInPath, refusals } from "../../shared/described.ts";
import { FillableFields } from "../../shared/import-described.ts";
import { pathOf, queryOf } from "../../shared/input.ts";

/** `GET /api/v1/imports/{id}/fields`: the fields that a column of the file can fill. */
export const importFieldsRoute = operationRoute({
  method: "GET",
  url: "/api/v1/imports/:id/fields",
  describe: {
    tags: ["imports"],
    bearer: true,
    summary: "List what a column can fill",
    description: "Fields of leads, or columns of the import's dataset, and how their cells are read.",
    params: IdInPath,
    answers: { 200: FillableFields, ...refusals(404) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: listImportFields,
  reply: (fields) => ok({ fields }),
});
