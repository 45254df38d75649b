import { Type } from "typebox";
import { createField, NewField } from "../../../domain/custom-fields/create-field.ts";
import { deleteField } from "../../../domain/custom-fields/delete-field.ts";
import { FieldShape } from "../../../domain/custom-fields/field-input.ts";
import { getCustomField, listCustomFields } from "../../../domain/custom-fields/get-custom-fields.ts";
import { FieldPatch, updateField } from "../../../domain/custom-fields/update-field.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { refusals } from "../shared/described.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";

const usual = { tags: ["fields"], bearer: true as const };
const params = Type.Object({ key: Type.String() });
const Field = Type.Object({
  key: Type.String(),
  ...FieldShape,
  index_built_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  created_at: Type.String({ format: "date-time" }),
});

/** The project's custom fields. */
export const fieldRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/fields",
    describe: {
      ...usual,
      summary: "List custom fields",
      description: "In order, all on one page. GET /api/v1/leads/fields includes standard fields.",
      answers: { 200: Type.Object({ fields: Type.Array(Field), next_cursor: Type.Null() }), ...refusals() },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, {}),
    operation: listCustomFields,
    reply: (fields) => ok(`{"fields":[${fields.join(",")}],"next_cursor":null}`),
  }),
  operationRoute({
    method: "POST",
    url: "/api/v1/fields",
    describe: {
      ...usual,
      summary: "Create a custom field",
      body: NewField,
      answers: { 201: Field, ...refusals(409, 413, 415) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: createField,
    reply: ({ key, json }) => ({ status: 201, body: json, headers: { Location: `/api/v1/fields/${key}` } }),
  }),
  operationRoute({
    method: "GET",
    url: "/api/v1/fields/:key",
    describe: { ...usual, summary: "Read a custom field", params, answers: { 200: Field, ...refusals(404) } },
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, {}), key: pathOf(request, "key") }),
    operation: getCustomField,
    reply: ok,
  }),
  operationRoute({
    method: "PATCH",
    url: "/api/v1/fields/:key",
    describe: {
      ...usual,
      summary: "Change a custom field",
      description:
        "Its key never changes. A new type, or fewer options, is 409 unless all values of leads fit; values that would be " +
        "written differently, such as a number as text, are rewritten.",
      params,
      body: FieldPatch,
      answers: { 200: Field, ...refusals(404, 409, 413, 415) },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...bodyOf(request, caller), key: pathOf(request, "key") }),
    operation: updateField,
    reply: ok,
  }),
  operationRoute({
    method: "DELETE",
    url: "/api/v1/fields/:key",
    describe: {
      ...usual,
      summary: "Delete a custom field",
      description:
        "409 while leads have a value or views use it, unless force=true: then the values are deleted permanently, too.",
      params,
      query: Type.Object({ force: Type.Optional(Type.Boolean()) }),
      answers: { 204: Type.Null(), ...refusals(404, 409) },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, { force: "boolean" }),
      key: pathOf(request, "key"),
    }),
    operation: deleteField,
    reply: () => ({ status: 204 }),
  }),
];
