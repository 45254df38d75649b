import { Type } from "typebox";
import { validateFilter } from "../../../../domain/filter/validate-filter.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { orNull, refusals } from "../../shared/described.ts";
import { bodyOf } from "../../shared/input.ts";

const FilterValidation = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() })),
  sentence: orNull(Type.String({ description: "The filter as a sentence." })),
  estimated_count: orNull(
    Type.Integer({
      description: "Exact up to 10,000 leads; estimated beyond that, or if counting takes over a second.",
    }),
  ),
});

/** `POST /api/v1/leads/filters/validate`: the meaning of a filter, or all of its errors. */
export const validateFilterRoute = operationRoute({
  method: "POST",
  url: "/api/v1/leads/filters/validate",
  describe: {
    summary: "Check a filter",
    description:
      "Returns the filter as a sentence with an estimated count, or all of its errors. " +
      "An invalid filter is 200 with valid false.",
    tags: ["filters"],
    bearer: true,
    body: validateFilter.input,
    answers: { 200: FilterValidation, ...refusals(413, 415) },
  },
  caller: apiKey,
  input: bodyOf,
  operation: validateFilter,
  reply: ok,
});
