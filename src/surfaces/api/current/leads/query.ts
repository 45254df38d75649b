import * as endpoints from "../../../../contract/leads/current.ts";
import { queryLeads } from "../../../../domain/leads/read/query-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { jsonBody } from "../../../../http/request/body.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { ownProject } from "../../shared/input.ts";
import { offsetPageJson } from "../../shared/page-json.ts";
import { bothSpellings } from "../../shared/with-slash.ts";

/** `POST /api/leads/query/`, with or without the trailing slash. */
export const queryLeadsRoutes = bothSpellings(endpoints.queryLeads, (endpoint) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller) => ownProject(jsonBody(request), caller),
    operation: queryLeads,
    reply: (page) => ok(offsetPageJson("leads", page)),
  }),
);
