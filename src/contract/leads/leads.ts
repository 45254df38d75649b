import { Type } from "typebox";
import { IdInPath } from "../basics/basics.ts";
import { endpoint, json, nothing } from "../basics/endpoint.ts";
import { Job } from "../jobs/jobs.ts";
import { LeadAggregation, ResponseTimesQuery } from "./aggregation.ts";
import { BulkReport, LeadsBulk } from "./bulk.ts";
import { CountedLeads, LeadFigures, ResponseTimes } from "./figures.ts";
import { Lead, LeadAccepted, LeadSearchPage, WrittenLead } from "./lead.ts";
import { LeadPatch, LeadUpsert, NewLead } from "./lead-input.ts";
import { Include, LeadCount, LeadSearch } from "./query.ts";

const usual = { tag: "leads", refusals: "v1" } as const;

export const searchLeads = endpoint({
  ...usual,
  id: "leads.search",
  method: "POST",
  url: "/api/v1/leads/search",
  summary: "Search leads",
  description:
    "One page of the project's leads, newest first unless sort is given. Repeat the call with next_cursor " +
    "until it is null; a cursor is valid only for its filter, search, sort and timezone. Relative dates " +
    "are relative to the time of the first page.",
  needs: "leads:read",
  body: LeadSearch,
  examples: {
    filter: {
      filter: {
        and: [
          { field: "status", op: "in", value: ["new", "contacted"] },
          { field: "score", op: "gte", value: 50 },
        ],
      },
      sort: [{ field: "score", dir: "desc" }],
      limit: 100,
    },
    fields: { search: "souza", fields: ["name", "email", "custom.plan"], total: "bounded" },
  },
  answers: { 200: json(LeadSearchPage, "A page of leads.", ["X-Leadgate-Warning"]) },
});

export const countLeads = endpoint({
  ...usual,
  id: "leads.count",
  method: "POST",
  url: "/api/v1/leads/count",
  summary: "Count leads",
  description: "How many leads match: exact up to 10,000, beyond that a lower bound unless exact is true.",
  needs: "leads:read",
  body: LeadCount,
  examples: {
    period: { filter: { field: "created_at", op: "in_period", value: "this_month" }, exact: true },
    all: {},
  },
  answers: { 200: json(CountedLeads, "The number of leads.", ["X-Leadgate-Warning"]) },
});

export const aggregateLeads = endpoint({
  ...usual,
  id: "leads.aggregate",
  method: "POST",
  url: "/api/v1/leads/aggregate",
  summary: "Aggregate leads",
  description:
    "Metrics by group. A group is a stored value, an entry of a list such as tags, or a bucket of " +
    "dates by its first day in the time zone; leads without a value are the group null. A metric is named by its " +
    "op and field: count, sum_value, count_distinct_owner_id. 422 if a sum is too large for a number.",
  needs: "leads:read",
  body: LeadAggregation,
  examples: {
    status: { group_by: [{ field: "status" }], metrics: [{ op: "count" }, { op: "sum", field: "value" }] },
    month: { group_by: [{ field: "created_at", interval: "month" }], timezone: "America/Sao_Paulo" },
  },
  answers: { 200: json(LeadFigures, "The groups with their figures.", ["X-Leadgate-Warning"]) },
  refused: [422],
});

export const responseTimes = endpoint({
  ...usual,
  id: "leads.responseTimes",
  method: "POST",
  url: "/api/v1/leads/response-times",
  summary: "Response times of leads",
  description:
    "How long leads waited for their first response, by group: from their creation to the first event of the types " +
    "at or after it. Leads without a response count in leads, but not in answered.",
  needs: "leads:read",
  body: ResponseTimesQuery,
  examples: {
    source: {
      group_by: [{ field: "source", alike: true }],
      within: [300, 3_600],
      filter: { field: "created_at", op: "in_last", value: { n: 30, unit: "day" } },
    },
  },
  answers: { 200: json(ResponseTimes, "The groups with their response times.", ["X-Leadgate-Warning"]) },
});

export const createLead = endpoint({
  ...usual,
  id: "leads.create",
  method: "POST",
  url: "/api/v1/leads",
  summary: "Create a lead",
  description:
    "Always creates a new one; PUT /api/v1/leads/upsert looks for an existing one first. It needs at least one field. 409 " +
    "with the id of the lead that has the external_id already. created_at says when the lead came in, in a migration. A " +
    "key with leads:create, but not leads:write, gets the receipt of the new lead; it cannot send external_id here.",
  needs: ["leads:write", "leads:create"],
  body: NewLead,
  examples: {
    lead: {
      external_id: "form-1",
      name: "Caio Prado",
      email: "caio@example.org",
      source: "website",
      custom: { plan: "gold" },
    },
  },
  answers: {
    201: json(WrittenLead, "The lead was created.", ["ETag", "Location", "X-Leadgate-Outcome"]),
  },
  refused: [409, 422],
});

export const getLead = endpoint({
  ...usual,
  id: "leads.get",
  method: "GET",
  url: "/api/v1/leads/{id}",
  summary: "Read a lead",
  description:
    "Its version is the ETag, for If-Match. A lead of another project is 404, and so is a " +
    "deleted one unless deleted=true; it then has deleted_at, and POST /restore restores it.",
  needs: "leads:read",
  params: IdInPath,
  query: Type.Object({
    include: Type.Optional(Include),
    deleted: Type.Optional(Type.Boolean({ description: "Whether a deleted lead is returned, too." })),
  }),
  answers: { 200: json(Lead, "The lead.", ["ETag"]) },
  refused: [404],
});

export const updateLead = endpoint({
  ...usual,
  id: "leads.update",
  method: "PATCH",
  url: "/api/v1/leads/{id}",
  summary: "Change a lead",
  description:
    "A merge patch (RFC 7396): omitted fields stay unchanged, null empties one. With If-Match, or version in the body, " +
    "412 unless it is the lead's current version. A request that changes nothing keeps the version. 409 with the id of the " +
    "lead that has the external_id already.",
  needs: "leads:write",
  params: IdInPath,
  ifMatch: true,
  body: LeadPatch,
  examples: {
    fields: { status: "contacted", score: 80, lost_reason: null },
    custom: { custom: { plan: "gold" }, version: 3 },
  },
  answers: { 200: json(WrittenLead, "The lead as it is now.", ["ETag", "X-Leadgate-Outcome"]) },
  refused: [404, 409, 412, 422],
});

export const deleteLead = endpoint({
  ...usual,
  id: "leads.delete",
  method: "DELETE",
  url: "/api/v1/leads/{id}",
  summary: "Delete a lead",
  description:
    "It can be restored; deleting it again is 404. With erase=true, which needs leads:erase instead, it is deleted permanently " +
    "with the leads merged into it and everything that the project holds of them, and If-Match is refused: 409 for a lead that was " +
    "merged into another, and while an import that may contain it is at work. POST /api/v1/people/erase erases all leads of a person.",
  needs: ["leads:write", "leads:erase"],
  params: IdInPath,
  query: Type.Object({
    erase: Type.Optional(Type.Boolean({ description: "Whether the lead is deleted permanently." })),
  }),
  ifMatch: true,
  answers: { 204: nothing("The lead was deleted.") },
  refused: [404, 409, 412],
});

export const restoreLead = endpoint({
  ...usual,
  id: "leads.restore",
  method: "POST",
  url: "/api/v1/leads/{id}/restore",
  summary: "Restore a deleted lead",
  description:
    "The lead is as it was before. One that is not deleted stays unchanged. 409 with the id of the lead that has its " +
    "external_id by now.",
  needs: "leads:write",
  params: IdInPath,
  ifMatch: true,
  answers: { 200: json(WrittenLead, "The lead as it is now.", ["ETag", "X-Leadgate-Outcome"]) },
  refused: [404, 409, 412],
});

export const upsertLead = endpoint({
  ...usual,
  id: "leads.upsert",
  method: "PUT",
  url: "/api/v1/leads/upsert",
  summary: "Find a lead, or create it",
  description:
    "Looks by match_on, in its order, and changes the lead that it finds as PATCH does, or creates one. 409 if several " +
    "leads match, with the candidates for a key that may read leads, or with the lead that has the external_id already. " +
    "With If-Match, or if_version, 412 unless a lead is found and has this version; with If-None-Match: *, or if_absent, 412 " +
    "if one is found: these conditions need leads:read, too. X-Leadgate-Outcome is created, updated or unchanged. A key with leads:create, but not leads:write, " +
    "gets the same 202 whatever is stored: the oldest of several leads is changed, and an " +
    "external_id that another lead has is left out.",
  needs: ["leads:write", "leads:create"],
  ifMatch: true,
  ifNoneMatch: true,
  body: LeadUpsert,
  examples: {
    externalId: {
      match_on: ["external_id"],
      lead: {
        external_id: "crm-17",
        name: "Ana Souza",
        email: "ana@example.org",
        status: "new",
        value: 1200,
      },
    },
    email: { match_on: "email", lead: { email: "ana@example.org", tags: ["vip"] } },
  },
  answers: {
    200: json(WrittenLead, "The lead was found.", ["ETag", "X-Leadgate-Outcome"]),
    201: json(WrittenLead, "The lead was created.", ["ETag", "Location", "X-Leadgate-Outcome"]),
    202: json(LeadAccepted, "The lead was created or changed, for a key that may only create."),
  },
  refused: [409, 412, 422],
});

export const bulkLeads = endpoint({
  ...usual,
  id: "leads.bulk",
  method: "POST",
  url: "/api/v1/leads/bulk",
  summary: "Change many leads",
  description:
    "Up to 500 items, each with its own result: one that fails does not affect the others. Or every lead that a " +
    "filter matches, and 409 unless they are expected_count: up to 10,000 all or none; beyond that, 202 with the job " +
    "that changes them. dry_run rolls everything back. A filter, dry_run and conditions of an upsert need leads:read, too.",
  needs: "leads:write",
  body: LeadsBulk,
  examples: {
    upsert: {
      op: "upsert",
      match_on: ["external_id"],
      items: [
        { external_id: "crm-17", name: "Ana Souza", status: "won" },
        { external_id: "crm-18", name: "Bo Lindqvist", company: "Lindqvist AB" },
      ],
    },
    filter: {
      op: "tag_add",
      tags: ["brazil"],
      filter: { field: "country", op: "eq", value: "BR" },
      expected_count: 120,
    },
  },
  answers: {
    200: json(BulkReport, "The outcome of each item, or the counts of a filter.", ["X-Leadgate-Warning"]),
    202: json(Job, "The job that changes the leads.", ["Location", "X-Leadgate-Warning"]),
  },
  refused: [409, 422],
});
