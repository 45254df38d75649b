import { Type } from "typebox";
import { listFields } from "../../../../domain/fields/list-fields.ts";
import { validateFilter } from "../../../../domain/filter/validate-filter.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { FieldListBody, FilterValidation, refusals } from "../../shared/described.ts";
import { bodyOf, queryOf } from "../../shared/input.ts";

const tags = ["filters"];

/** What can be asked of leads, and whether a filter asks it well. */
export const filterRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/leads/fields",
    describe: {
      summary: "List the fields of leads",
      description:
        "Standard and custom fields with their types, operators and options, for building filters.",
      tags,
      bearer: true,
      query: Type.Object({ locale: Type.Optional(Type.String({ description: "en or pt-BR." })) }),
      answers: { 200: FieldListBody, ...refusals() },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, { locale: "text" }),
    operation: listFields,
    reply: (fields) => ok({ fields, next_cursor: null }),
  }),
  operationRoute({
    method: "POST",
    url: "/api/v1/leads/filters/validate",
    describe: {
      summary: "Check a filter",
      description:
        "Returns the filter as a sentence with an estimated count, or all of its errors. " +
        "An invalid filter is 200 with valid false.",
      tags,
      bearer: true,
      body: validateFilter.input,
      answers: { 200: FilterValidation, ...refusals(413, 415) },
    },
    caller: apiKey,
    input: (request, caller) => bodyOf(request, caller),
    operation: validateFilter,
    reply: ok,
  }),
];
