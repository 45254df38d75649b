import { Type } from "typebox";
import { getUntrackedFields, setUntrackedFields } from "../../../domain/custom-fields/untracked-fields.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { refusals, wholeListOf } from "../shared/described.ts";
import { bodyOf, queryOf } from "../shared/input.ts";

const usual = { tags: ["fields"], bearer: true as const };
const answer = wholeListOf("fields", Type.String());

/** The untracked fields, whose changes are not recorded on timelines. */
export const quietFieldRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/quiet-fields",
    describe: {
      ...usual,
      summary: "List untracked fields",
      description:
        "Standard fields whose changes do not appear on timelines. For a custom field, set timeline to false.",
      answers: { 200: answer, ...refusals() },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, {}),
    operation: getUntrackedFields,
    reply: (fields) => ok({ fields, next_cursor: null }),
  }),
  operationRoute({
    method: "PUT",
    url: "/api/v1/quiet-fields",
    describe: {
      ...usual,
      summary: "Replace the untracked fields",
      body: setUntrackedFields.input,
      answers: { 200: answer, ...refusals(413, 415) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: setUntrackedFields,
    reply: (fields) => ok({ fields, next_cursor: null }),
  }),
];
