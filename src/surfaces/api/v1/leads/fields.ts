import { Type } from "typebox";
import { listFields } from "../../../../domain/fields/list-fields.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { orNull, refusals } from "../../shared/described.ts";
import { queryOf } from "../../shared/input.ts";

/** The description of every field of a project's leads. */
const FieldListBody = Type.Object({
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      label: Type.String(),
      type: Type.String(),
      operators: Type.Array(Type.String()),
      options: orNull(Type.Array(Type.String())),
      custom: Type.Boolean(),
      required: Type.Boolean({ description: "Never empty." }),
      sortable: Type.Boolean(),
      groupable: Type.Boolean(),
      writable: Type.Boolean({ description: "Whether it can be written." }),
    }),
  ),
  next_cursor: Type.Null(),
});

/** `GET /api/v1/leads/fields`: the fields that a filter can name. */
export const leadFieldsRoute = operationRoute({
  method: "GET",
  url: "/api/v1/leads/fields",
  describe: {
    summary: "List the fields of leads",
    description: "Standard and custom fields with their types, operators and options, for building filters.",
    tags: ["filters"],
    bearer: true,
    query: Type.Object({ locale: Type.Optional(Type.String({ description: "en or pt-BR." })) }),
    answers: { 200: FieldListBody, ...refusals() },
  },
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, { locale: "text" }),
  operation: listFields,
  reply: (fields) => ok({ fields, next_cursor: null }),
});
