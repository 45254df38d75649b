import { type TSchema, Type } from "typebox";
import { getUntrackedFields, setUntrackedFields } from "../../../domain/custom-fields/untracked-fields.ts";
import { listStatuses } from "../../../domain/statuses/list-statuses.ts";
import { StatusList, setStatuses } from "../../../domain/statuses/set-statuses.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { refusals } from "../shared/described.ts";
import { bodyOf, queryOf } from "../shared/input.ts";

const usual = { tags: ["fields"], bearer: true as const };

const listOf = (name: string): TSchema =>
  Type.Object({ [name]: Type.Array(Type.String()), next_cursor: Type.Null() });

/** The statuses of the project's leads, and the fields whose changes its timelines do not tell. */
export const statusRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/statuses",
    describe: {
      ...usual,
      summary: "List statuses",
      description: "In their order; the first is that of new leads.",
      answers: { 200: listOf("statuses"), ...refusals() },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, {}),
    operation: listStatuses,
    reply: (statuses) => ok({ statuses, next_cursor: null }),
  }),
  operationRoute({
    method: "PUT",
    url: "/api/v1/statuses",
    describe: {
      ...usual,
      summary: "Replace the statuses",
      description:
        "Adds, removes, renames and orders them. 409 while leads have one that would go, with how many, unless map says " +
        "what they become.",
      body: StatusList,
      answers: { 200: listOf("statuses"), ...refusals(409, 413, 415) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: setStatuses,
    reply: (statuses) => ok({ statuses, next_cursor: null }),
  }),
  operationRoute({
    method: "GET",
    url: "/api/v1/quiet-fields",
    describe: {
      ...usual,
      summary: "List quiet fields",
      description:
        "Standard fields whose changes are not told on timelines. A custom field has timeline false.",
      answers: { 200: listOf("fields"), ...refusals() },
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
      summary: "Replace the quiet fields",
      body: setUntrackedFields.input,
      answers: { 200: listOf("fields"), ...refusals(413, 415) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: setUntrackedFields,
    reply: (fields) => ok({ fields, next_cursor: null }),
  }),
];
