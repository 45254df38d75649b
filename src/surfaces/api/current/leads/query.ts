import { queryLeads } from "../../../../domain/leads/read/query-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { jsonBody } from "../../../../http/request/body.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { LeadPageBody, LeadsQueryBody, PROBLEMS, Problem } from "../../shared/described.ts";
import { ownProject } from "../../shared/input.ts";
import { offsetPageJson } from "../../shared/page-json.ts";
import { withSlash } from "../../shared/with-slash.ts";

/** `POST /api/leads/query/`, with or without the trailing slash. */
export const queryLeadsRoutes = withSlash("/api/leads/query", (url) =>
  operationRoute({
    method: "POST",
    url,
    describe: {
      summary: "Query leads",
      description:
        "One page of the project's leads, newest first unless sort is given. Unknown keys are errors, and " +
        "errors have their JSON path.",
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
