import * as endpoints from "../../../contract/leads/current.ts";
import { getLead } from "../../../domain/leads/read/get-lead.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { operationRoute } from "../../../http/route/route.ts";
import { pathOf, queryOf } from "../shared/input.ts";
import { leadReply } from "../shared/lead-reply.ts";
import { bothSpellings } from "../shared/with-slash.ts";

/** `GET /api/leads/{id}/`, with or without the trailing slash. */
export const getLeadRoutes = bothSpellings(endpoints.getLead, (endpoint) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, endpoint), id: pathOf(request, "id") }),
    operation: getLead,
    reply: leadReply,
  }),
);
