import { listFields } from "../../../../contract/imports/imports.ts";
import { listImportFields } from "../../../../domain/imports/list-import-fields.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { pathOf, queryOf } from "../../shared/input.ts";

/** `GET /api/v1/imports/{id}/fields`: the fields that a column of the file can fill. */
export const importFieldsRoute = operationRoute({
  endpoint: listFields,
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, listFields), id: pathOf(request, "id") }),
  operation: listImportFields,
  reply: (fields) => ok({ fields }),
});
