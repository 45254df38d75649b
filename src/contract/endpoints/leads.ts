import { Type } from "typebox";
import { IdInPath } from "../nouns/basics.ts";
import { IncludeParameter, Lead, WrittenLead } from "../nouns/lead.ts";
import { LeadInput, LeadPatch, LeadUpsert } from "../nouns/lead-input.ts";
import { endpoint, json, nothing } from "./endpoint.ts";

export const createLead = endpoint({
  id: "leads.create",
  method: "POST",
  url: "/api/v1/leads",
  tag: "leads",
  summary: "Create a lead",
  description:
    "Always creates a new one; PUT /api/v1/leads/upsert looks for an existing one first. It needs at least one field.",
  refusals: "v1",
  needs: "leads:write",
  body: LeadInput,
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
  refused: [422],
});

export const getLead = endpoint({
  id: "leads.get",
  method: "GET",
  url: "/api/v1/leads/{id}",
  tag: "leads",
  summary: "Read a lead",
  description:
    "Its version is the ETag, for If-Match. A lead of another project is 404, and so is a " +
    "deleted one unless deleted=true; it then has deleted_at, and POST /restore restores it.",
  refusals: "v1",
  needs: "leads:read",
  params: IdInPath,
  query: Type.Object({
    include: Type.Optional(IncludeParameter),
    deleted: Type.Optional(Type.Boolean({ description: "Whether a deleted lead is returned, too." })),
  }),
  answers: { 200: json(Lead, "The lead.", ["ETag"]) },
  refused: [404],
});

export const updateLead = endpoint({
  id: "leads.update",
  method: "PATCH",
  url: "/api/v1/leads/{id}",
  tag: "leads",
  summary: "Change a lead",
  description:
    "A merge patch (RFC 7396): omitted fields stay unchanged, null empties one. With If-Match, or version in the body, " +
    "412 unless it is the lead's current version. A request that changes nothing keeps the version.",
  refusals: "v1",
  needs: "leads:write",
  params: IdInPath,
  ifMatch: true,
  body: LeadPatch,
  examples: {
    fields: { status: "contacted", score: 80, lost_reason: null },
    custom: { custom: { plan: "gold" }, version: 3 },
  },
  answers: { 200: json(WrittenLead, "The lead as it is now.", ["ETag", "X-Leadgate-Outcome"]) },
  refused: [404, 412, 422],
});

export const deleteLead = endpoint({
  id: "leads.delete",
  method: "DELETE",
  url: "/api/v1/leads/{id}",
  tag: "leads",
  summary: "Delete a lead",
  description:
    "It can be restored; deleting it again is 404. With erase=true it is deleted permanently with its timeline and the " +
    "leads merged into it, whatever its version: only for keys created by a current owner of the project, and 409 for a " +
    "lead that was merged into another.",
  refusals: "v1",
  needs: "leads:write",
  params: IdInPath,
  query: Type.Object({
    erase: Type.Optional(Type.Boolean({ description: "Whether the lead is deleted permanently." })),
  }),
  ifMatch: true,
  answers: { 204: nothing("The lead was deleted.") },
  refused: [404, 409, 412],
});

export const restoreLead = endpoint({
  id: "leads.restore",
  method: "POST",
  url: "/api/v1/leads/{id}/restore",
  tag: "leads",
  summary: "Restore a deleted lead",
  description: "The lead is as it was before. One that is not deleted stays unchanged.",
  refusals: "v1",
  needs: "leads:write",
  params: IdInPath,
  ifMatch: true,
  answers: { 200: json(WrittenLead, "The lead as it is now.", ["ETag", "X-Leadgate-Outcome"]) },
  refused: [404, 412],
});

export const upsertLead = endpoint({
  id: "leads.upsert",
  method: "PUT",
  url: "/api/v1/leads/upsert",
  tag: "leads",
  summary: "Find a lead, or create it",
  description:
    "Looks by match_on, in its order, and changes the lead that it finds as PATCH does, or creates one. 409 names " +
    "the candidates if several leads match. X-Leadgate-Outcome is created, updated or unchanged.",
  refusals: "v1",
  needs: "leads:write",
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
  },
  refused: [409, 422],
});
