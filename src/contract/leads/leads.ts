import { Type } from "typebox";
import { IdInPath } from "../basics/basics.ts";
import { endpoint, json, nothing } from "../basics/endpoint.ts";
import { CountedLeads } from "./figures.ts";
import { Lead, LeadAccepted, LeadSearchPage, tag, WrittenLead } from "./lead.ts";
import { LeadPatch, LeadUpsert, NewLead } from "./lead-input.ts";
import { Include, LeadCount, LeadSearch } from "./query.ts";

const usual = { tag, refusals: "v1" } as const;

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

/** The headers of a lead that was written. */
const WRITTEN = ["ETag", "X-Leadgate-Outcome", "X-Leadgate-Warning"] as const;

export const createLead = endpoint({
  ...usual,
  id: "leads.create",
  method: "POST",
  url: "/api/v1/leads",
  summary: "Create a lead",
  description:
    "Always creates a new one; PUT /api/v1/leads/upsert looks for an existing one first. It needs at least one field. 409 " +
    "with the id of the lead that has the external_id already, or address_held if the project refuses addresses that another lead has. created_at says when the lead came in, in a migration. A " +
    "key with leads:create, but not leads:write, gets the receipt of the new lead; it cannot send external_id here. A lead with a " +
    "suppressed address gets do_not_contact, of which X-Leadgate-Warning says opt_out_kept.",
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
    201: json(WrittenLead, "The lead was created.", [...WRITTEN, "Location"]),
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
    "lead that has the external_id already. X-Leadgate-Warning names leads that have an e-mail or a phone which this lead gets, too; a project may refuse that (409 " +
    "address_held). do_not_contact: false clears an opt-out; reason, which is allowed only with do_not_contact, says why.",
  needs: "leads:write",
  params: IdInPath,
  ifMatch: true,
  body: LeadPatch,
  examples: {
    fields: { status: "contacted", score: 80, lost_reason: null },
    opt_out: { do_not_contact: false, reason: "Asked by phone to get our offers again." },
    custom: { custom: { plan: "gold" }, version: 3 },
  },
  answers: { 200: json(WrittenLead, "The lead as it is now.", [...WRITTEN]) },
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
    suppress: Type.Optional(
      Type.Boolean({
        description:
          "With erase: whether the person must not be contacted again. The project keeps keyed hashes of the addresses, by which a lead that is imported or " +
          "created again gets do_not_contact. Those of a lead that opted out are kept in any case.",
      }),
    ),
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
    "The lead is as it was before, but with do_not_contact if one of its addresses was suppressed meanwhile. One that is not deleted stays unchanged. 409 with the id of the lead that has its " +
    "external_id by now.",
  needs: "leads:write",
  params: IdInPath,
  ifMatch: true,
  answers: { 200: json(WrittenLead, "The lead as it is now.", [...WRITTEN]) },
  refused: [404, 409, 412],
});

export const upsertLead = endpoint({
  ...usual,
  id: "leads.upsert",
  method: "PUT",
  url: "/api/v1/leads/upsert",
  summary: "Find a lead, or create it",
  description:
    "Changes the lead that the record is about as PATCH does, or creates one. The most reliable identifier that finds a lead decides: external_id, " +
    "email, phone, then emails and phones, those of merged leads included. 409 ambiguous if several leads have it, and identity_conflict if a less " +
    "reliable one belongs to another lead, both with the candidates for a key that may read leads. With match_on, only those fields are looked by, in their " +
    "order. fill: true writes only what is empty. " +
    "With If-Match, or if_version, 412 unless a lead is found and has this version; with If-None-Match: *, or if_absent, 412 " +
    "if one is found: these conditions need leads:read, too. X-Leadgate-Outcome is created, updated or unchanged. A key with leads:create, but not leads:write, " +
    "gets the same 202 whatever is stored: if the record may be about several leads, it is kept as an event submission.conflicted of the first, and an " +
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
    200: json(WrittenLead, "The lead was found.", [...WRITTEN]),
    201: json(WrittenLead, "The lead was created.", [...WRITTEN, "Location"]),
    202: json(LeadAccepted, "The lead was created or changed, for a key that may only create."),
  },
  refused: [409, 412, 422],
});
