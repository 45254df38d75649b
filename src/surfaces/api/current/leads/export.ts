import { Type } from "typebox";
import { LeadsExport } from "../../../../contract/nouns/query.ts";
import { exportLeads } from "../../../../domain/exports/export-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { jsonBody } from "../../../../http/request/body.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { PROBLEMS, Problem } from "../../shared/described.ts";
import { fileHeaders } from "../../shared/file-headers.ts";
import { ownProject } from "../../shared/input.ts";
import { withSlash } from "../../shared/with-slash.ts";

const Body = Type.Object(
  { project_id: Type.String({ description: "The key's project." }), ...LeadsExport.properties },
  { additionalProperties: false },
);

/** `POST /api/leads/export/`, with or without the trailing slash. */
export const exportLeadsRoutes = withSlash("/api/leads/export", (url) =>
  operationRoute({
    method: "POST",
    url,
    describe: {
      summary: "Export leads",
      description:
        "Streams every lead that matches, as CSV, NDJSON or a JSON array. If the stream fails before its end, " +
        "the connection is aborted, never closed as if it were complete. In a CSV, text that a " +
        "spreadsheet would run as a formula is preceded by an apostrophe.",
      tags: ["leads"],
      bearer: true,
      body: Body,
      answers: { 200: Type.String(), 400: Problem, 413: Problem, 415: Problem, ...PROBLEMS },
    },
    caller: apiKey,
    input: (request, caller) => ownProject(jsonBody(request), caller),
    operation: exportLeads,
    reply: ({ stream, format }) => ({ status: 200, body: stream, ...fileHeaders("leads", format) }),
  }),
);
