import { Type } from "typebox";
import { LeadInput } from "../../../domain/fields/lead-input.ts";
import { MatchOn } from "../../../domain/leads/identity/identity.ts";
import { getLead } from "../../../domain/leads/read/get-lead.ts";
import { createLead } from "../../../domain/leads/write/create-lead.ts";
import { restoreLead } from "../../../domain/leads/write/restore-lead.ts";
import { updateLead } from "../../../domain/leads/write/update-lead.ts";
import { upsertLead } from "../../../domain/leads/write/upsert-lead.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { Lead, refusals } from "../shared/described.ts";
import { bodyOf, pathOf, queryOf, versionFrom } from "../shared/input.ts";
import { leadReply, writtenReply } from "../shared/lead-reply.ts";
import { deleteLeadRoute } from "./delete-lead.ts";

const tags = ["leads"];
const params = Type.Object({ id: Type.String() });

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
      params,
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
      params,
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
      params,
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
