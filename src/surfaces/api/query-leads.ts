import { queryLeads } from "../../domain/leads/read/query-leads.ts";
import { apiKey } from "../../http/api-key.ts";
import { jsonBody } from "../../http/body.ts";
import { ok } from "../../http/reply.ts";
import { operationRoute, type Route } from "../../http/route.ts";
import { offsetPageJson } from "../../wire/page-json.ts";
import { LeadPageBody, LeadsQueryBody, PROBLEMS, Problem } from "./described.ts";
import { ownProject } from "./own-project.ts";

/** `POST /api/leads/query/`, with or without the slash at its end. */
export const queryLeadsRoutes: readonly Route[] = ["/api/leads/query/", "/api/leads/query"].map((url) =>
  operationRoute({
    method: "POST",
    url,
    describe: {
      summary: "Query leads",
      description:
        "One page of the project's leads, newest first unless sort says otherwise. Unknown keys are refused, and " +
        "faults are told with their JSON path.",
      tags: ["leads"],
      bearer: true,
      body: LeadsQueryBody,
      answers: { 200: LeadPageBody, 400: Problem, 413: Problem, 415: Problem, ...PROBLEMS },
    },
    caller: apiKey,
    input: (request, caller) => ownProject(jsonBody(request), caller),
    operation: queryLeads,
    reply: (page) => ok(offsetPageJson("leads", page)),
  }),
);
