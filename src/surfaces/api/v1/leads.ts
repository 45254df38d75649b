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
    "It can be restored; deleting it again is 404. With erase=true it is deleted permanently with its timeline and the " +
    "leads merged into it: only for keys created by a current owner of the project.",
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

/** `DELETE /api/v1/leads/{id}`: deletes a lead or, with `erase=true`, erases it. */
const deleteLeadRoute = routeByUrl(deleting, /[?&]erase=true(&|$)/, erasing);

const tags = ["leads"];

/** Single leads: create, read, change, delete, restore, upsert. */
export const leadRoutes: readonly Route[] = [
  operationRoute({
    method: "POST",
    url: "/api/v1/leads",
    describe: {
      summary: "Create a lead",
      description: "Always creates a new one; PUT /api/v1/leads/upsert looks for an existing one first.",
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
        "Its version is the ETag, for If-Match. A lead of another project is 404, and so is a " +
        "deleted one unless deleted=true; it then has deleted_at, and POST /restore restores it.",
      tags,
      bearer: true,
      params: IdInPath,
      query: Type.Object({
        include: Type.Optional(Type.String({ description: "datasets, datasets.<key>" })),
        deleted: Type.Optional(Type.Boolean({ description: "Whether a deleted lead is returned, too." })),
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
        "A merge patch (RFC 7396): omitted fields stay unchanged, null clears one. With If-Match, or " +
        "version in the body, 412 unless it is the lead's current version. A request that changes nothing keeps the version.",
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
        "Looks by match_on, in its order, and changes the lead that it finds as PATCH does, or creates one. 409 names " +
        "the candidates if several leads match. X-Leadgate-Outcome is created, updated or unchanged.",
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
