import { Type } from "typebox";
import { listStatuses } from "../../../domain/statuses/list-statuses.ts";
import { StatusList, setStatuses } from "../../../domain/statuses/set-statuses.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { refusals, wholeListOf } from "../shared/described.ts";
import { bodyOf, queryOf } from "../shared/input.ts";

const usual = { tags: ["fields"], bearer: true as const };
const answer = wholeListOf("statuses", Type.String());

/** The statuses of the project's leads. */
export const statusRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/statuses",
    describe: {
      ...usual,
      summary: "List statuses",
      description: "In order; the first one is for new leads.",
      answers: { 200: answer, ...refusals() },
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
      answers: { 200: answer, ...refusals(409, 413, 415) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: setStatuses,
    reply: (statuses) => ok({ statuses, next_cursor: null }),
  }),
];
