import * as endpoints from "../../../../contract/leads/leads.ts";
import { searchLeads } from "../../../../domain/leads/read/search-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { bodyOf } from "../../shared/input.ts";
import { cursorPageJson } from "../../shared/page-json.ts";

/** `POST /api/v1/leads/search`: one page of leads by cursor. */
export const searchLeadsRoute = operationRoute({
  endpoint: endpoints.searchLeads,
  caller: apiKey,
  input: bodyOf,
  operation: searchLeads,
  reply: (page) => ok(cursorPageJson("leads", page)),
});
