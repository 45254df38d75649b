import { Type } from "typebox";
import { LeadInput } from "../../../domain/fields/lead-input.ts";
import { MatchOn } from "../../../domain/leads/identity/identity.ts";
import { getLead } from "../../../domain/leads/read/get-lead.ts";
import { createLead } from "../../../domain/leads/write/create-lead.ts";
import { deleteLead } from "../../../domain/leads/write/delete-lead.ts";
import { eraseLead } from "../../../domain/leads/write/erase-lead.ts";
import { restoreLead } from "../../../domain/leads/write/restore-lead.ts";
import { updateLead } from "../../../domain/leads/write/update-lead.ts";
import { upsertLead } from "../../../domain/leads/write/upsert-lead.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { type Described, operationRoute, type Route, routeByUrl } from "../../../http/route/route.ts";
import { IdInPath, Lead, refusals } from "../shared/described.ts";
import { bodyOf, pathOf, queryOf, versionFrom } from "../shared/input.ts";
import { leadReply, writtenReply } from "../shared/lead-reply.ts";

const method = "DELETE";
const url = "/api/v1/leads/:id";
const reply = (): Reply => ({ status: 204 });

const describe: Described = {
  summary: "Delete a lead",
  description:
    "It can be restored; a second time it is 404. With erase=true it is gone for good with its timeline and what was " +
    "merged into it: for keys that a present owner of the project made.",
  tags: ["leads"],
  bearer: true,
  params: IdInPath,
  query: Type.Object({ erase: Type.Optional(Type.Boolean()) }),
  answers: { 204: Type.Null(), ...refusals(404, 409, 412) },
};

const deleting = operationRoute({
  method,
  url,
  describe,
  caller: apiKey,
  input(request, caller) {
    queryOf(request, caller, { erase: "boolean" });
    return { id: pathOf(request, "id"), ...versionFrom(request, undefined) };
  },
  operation: deleteLead,
  reply,
});

const erasing = operationRoute({
  method,
  url,
  describe,
  caller: apiKey,
  input(request, caller) {
    queryOf(request, caller, { erase: "boolean" });
    return { id: pathOf(request, "id") };
  },
  operation: eraseLead,
  reply,
});

/** `DELETE /api/v1/leads/{id}`: one address for being deleted and, with `erase=true`, being erased. */
const deleteLeadRoute = routeByUrl(deleting, /[?&]erase=true(&|$)/, erasing);

const tags = ["leads"];

/** One lead at a time: make, read, change, delete, restore, find or make. */
export const leadRoutes: readonly Route[] = [
  operationRoute({
    method: "POST",
    url: "/api/v1/leads",
    describe: {
      summary: "Create a lead",
      description: "Always makes a new one; PUT /api/v1/leads/upsert looks for one first.",
      tags,
      bearer: true,
      body: LeadInput,
      answers: { 201: Lead, ...refusals(413, 415, 422) },
    },
    caller: apiKey,
    input: (request, caller) => ({ lead: bodyOf(request, caller) }),
    operation: createLead,
    reply: writtenReply,
  }),
  operationRoute({
    method: "GET",
    url: "/api/v1/leads/:id",
    describe: {
      summary: "Read a lead",
      description:
        "Its version is the ETag, for If-Match. Another project's lead looks like one that does not exist, and so does a " +
        "deleted one unless deleted=true; its deleted_at then says since when, and POST /restore brings it back.",
      tags,
      bearer: true,
      params: IdInPath,
      query: Type.Object({
        include: Type.Optional(Type.String({ description: "datasets, datasets.<key>" })),
        deleted: Type.Optional(Type.Boolean({ description: "Whether a deleted lead is answered, too." })),
      }),
      answers: { 200: Lead, ...refusals(404) },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, { include: "list", deleted: "boolean" }),
      id: pathOf(request, "id"),
    }),
    operation: getLead,
    reply: leadReply,
  }),
  operationRoute({
    method: "PATCH",
    url: "/api/v1/leads/:id",
    describe: {
      summary: "Change a lead",
      description:
        "A merge patch (RFC 7396): fields that are left out stay as they are, null empties one. With If-Match, or " +
        "version in the body, 412 unless it is the lead's present version. What changes nothing keeps the version.",
      tags,
      bearer: true,
      params: IdInPath,
      body: Type.Object(
        { ...LeadInput.properties, version: Type.Optional(Type.Integer()) },
        { additionalProperties: false },
      ),
      answers: { 200: Lead, ...refusals(404, 412, 413, 415, 422) },
    },
    caller: apiKey,
    input: (request, caller) => {
      const { version, ...lead } = bodyOf(request, caller);
      return { id: pathOf(request, "id"), ...versionFrom(request, version), lead };
    },
    operation: updateLead,
    reply: writtenReply,
  }),
  deleteLeadRoute,
  operationRoute({
    method: "POST",
    url: "/api/v1/leads/:id/restore",
    describe: {
      summary: "Restore a deleted lead",
      tags,
      bearer: true,
      params: IdInPath,
      answers: { 200: Lead, ...refusals(404, 412) },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, {}),
      id: pathOf(request, "id"),
      ...versionFrom(request, undefined),
    }),
    operation: restoreLead,
    reply: writtenReply,
  }),
  operationRoute({
    method: "PUT",
    url: "/api/v1/leads/upsert",
    describe: {
      summary: "Find a lead, or create it",
      description:
        "Looks by match_on, the surest first, and changes the lead that it finds as PATCH does, or makes one. 409 names " +
        "the candidates where several have the identity. X-Leadgate-Outcome is created, updated or unchanged.",
      tags,
      bearer: true,
      body: Type.Object(
        { match_on: Type.Optional(MatchOn), lead: LeadInput },
        { additionalProperties: false },
      ),
      answers: { 200: Lead, 201: Lead, ...refusals(409, 413, 415, 422) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: upsertLead,
    reply: writtenReply,
  }),
];
