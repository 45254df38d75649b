import { listLeadFields } from "../../../../contract/filters/filters.ts";
import { listFields } from "../../../../domain/fields/list-fields.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { queryOf } from "../../shared/input.ts";

/** `GET /api/v1/leads/fields`: the fields that a filter can name. */
export const leadFieldsRoute = operationRoute({
  endpoint: listLeadFields,
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, listLeadFields),
  operation: listFields,
  reply: (fields) => ok({ fields, next_cursor: null }),
});
