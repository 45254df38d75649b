import * as endpoints from "../../../../contract/leads/current.ts";
import { exportLeads } from "../../../../domain/exports/export-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { jsonBody } from "../../../../http/request/body.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { fileHeaders } from "../../shared/file-headers.ts";
import { ownProject } from "../../shared/input.ts";
import { bothSpellings } from "../../shared/with-slash.ts";

/** `POST /api/leads/export/`, with or without the trailing slash. */
export const exportLeadsRoutes = bothSpellings(endpoints.exportLeads, (endpoint) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller) => ownProject(jsonBody(request), caller),
    operation: exportLeads,
    reply: ({ stream, format }) => ({ status: 200, body: stream, ...fileHeaders("leads", format) }),
  }),
);
