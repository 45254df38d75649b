import * as endpoints from "../../../contract/fields/fields.ts";
import { createField } from "../../../domain/custom-fields/create-field.ts";
import { deleteField } from "../../../domain/custom-fields/delete-field.ts";
import { getCustomField, listCustomFields } from "../../../domain/custom-fields/get-custom-fields.ts";
import { updateField } from "../../../domain/custom-fields/update-field.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";

/** The project's custom fields. */
export const fieldRoutes: readonly Route[] = [
  operationRoute({
    endpoint: endpoints.listFields,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, endpoints.listFields),
    operation: listCustomFields,
    reply: (fields) => ok(`{"fields":[${fields.join(",")}],"next_cursor":null}`),
  }),
  operationRoute({
    endpoint: endpoints.createField,
    caller: apiKey,
    input: bodyOf,
    operation: createField,
    reply: ({ key, json }) => ({ status: 201, body: json, headers: { Location: `/api/v1/fields/${key}` } }),
  }),
  operationRoute({
    endpoint: endpoints.getField,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.getField),
      key: pathOf(request, "key"),
    }),
    operation: getCustomField,
    reply: ok,
  }),
  operationRoute({
    endpoint: endpoints.updateField,
    caller: apiKey,
    input: (request, caller, endpoint) => bodyOf(request, caller, endpoint, { key: pathOf(request, "key") }),
    operation: updateField,
    reply: ok,
  }),
  operationRoute({
    endpoint: endpoints.deleteField,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.deleteField),
      key: pathOf(request, "key"),
    }),
    operation: deleteField,
    reply: () => ({ status: 204 }),
  }),
];
