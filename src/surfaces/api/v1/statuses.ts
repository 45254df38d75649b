import { type TSchema, Type } from "typebox";
import { getQuietFields, setQuietFields } from "../../../domain/custom-fields/quiet-fields.ts";
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
      description: "In order; the first one is for new leads.",
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
        "Adds, removes, renames and orders them. 409 with a count while leads have a removed status, unless map gives " +
        "their new one.",
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
      summary: "List untracked fields",
      description:
        "Standard fields whose changes do not appear on timelines. For a custom field, set timeline to false.",
      answers: { 200: listOf("fields"), ...refusals() },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, {}),
    operation: getQuietFields,
    reply: (fields) => ok({ fields, next_cursor: null }),
  }),
  operationRoute({
    method: "PUT",
    url: "/api/v1/quiet-fields",
    describe: {
      ...usual,
      summary: "Replace the untracked fields",
      body: setQuietFields.input,
      answers: { 200: listOf("fields"), ...refusals(413, 415) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: setQuietFields,
    reply: (fields) => ok({ fields, next_cursor: null }),
  }),
];
