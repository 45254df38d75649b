import { Type } from "typebox";
import { IdInPath } from "../basics/basics.ts";
import { CURRENT, endpoint, file, json } from "../basics/endpoint.ts";
import { Lead, LeadPage } from "./lead.ts";
import { CurrentLeadsExport, CurrentLeadsQuery, Include } from "./query.ts";

const usual = { tag: CURRENT, refusals: "current" } as const;

export const queryLeads = endpoint({
  ...usual,
  id: "current.leads.query",
  method: "POST",
  url: "/api/leads/query/",
  summary: "Query leads",
  description:
    "One page of the project's leads, newest first unless sort is given. Unknown keys are errors, and " +
    "errors have their JSON path.",
  needs: "leads:read",
  body: CurrentLeadsQuery,
  examples: {
    filter: {
      project_id: "prj_01m828fqhxe00brgv3qnb7cz65",
      filter: { field: "status", op: "eq", value: "new" },
      sort: [{ field: "score", dir: "desc" }],
      limit: 100,
    },
    "next page": { project_id: "prj_01m828fqhxe00brgv3qnb7cz65", limit: 100, offset: 100, total: "none" },
  },
  answers: { 200: json(LeadPage, "A page of leads.", ["X-Leadgate-Warning"]) },
});

export const exportLeads = endpoint({
  ...usual,
  id: "current.leads.export",
  method: "POST",
  url: "/api/leads/export/",
  summary: "Export leads",
  description:
    "Streams every lead that matches, as CSV, NDJSON or a JSON array. If the stream fails before its end, " +
    "the connection is aborted, never closed as if it were complete; so is one whose reader is too slow. 429 while the " +
    "project already streams as many exports as it may. In a CSV, text that a spreadsheet would run as a formula is " +
    "preceded by an apostrophe.",
  needs: "leads:read",
  body: CurrentLeadsExport,
  examples: {
    csv: {
      project_id: "prj_01m828fqhxe00brgv3qnb7cz65",
      columns: ["external_id", "name", "email"],
      bom: true,
    },
    ndjson: {
      project_id: "prj_01m828fqhxe00brgv3qnb7cz65",
      format: "ndjson",
      filter: { field: "status", op: "eq", value: "won" },
    },
  },
  answers: {
    200: file(["text/csv", "application/x-ndjson", "application/json"], "The file, in the format.", [
      "X-Leadgate-Warning",
    ]),
  },
});

export const getLead = endpoint({
  ...usual,
  id: "current.leads.get",
  method: "GET",
  url: "/api/leads/{id}/",
  summary: "Read a lead",
  description: "One lead with all its fields. A lead of another project is 404, and so is a deleted one.",
  needs: "leads:read",
  params: IdInPath,
  query: Type.Object({ include: Type.Optional(Include) }),
  answers: { 200: json(Lead, "The lead.", ["ETag"]) },
  refused: [404],
});
