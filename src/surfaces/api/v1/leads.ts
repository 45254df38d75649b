import * as endpoints from "../../../contract/leads/leads.ts";
import { eraseLead } from "../../../domain/erasure/erase-lead.ts";
import { getLead } from "../../../domain/leads/read/get-lead.ts";
import { createLead } from "../../../domain/leads/write/create-lead.ts";
import { deleteLead } from "../../../domain/leads/write/delete-lead.ts";
import { restoreLead } from "../../../domain/leads/write/restore-lead.ts";
import { updateLead } from "../../../domain/leads/write/update-lead.ts";
import { upsertLead } from "../../../domain/leads/write/upsert-lead.ts";
import { bad } from "../../../domain/values/bad-input.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { operationRoute, type Route, routeByQuery } from "../../../http/route/route.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";
import { leadReply, writtenReply } from "../shared/lead-reply.ts";
import { conditionsFrom, versionFrom } from "../shared/preconditions.ts";

const reply = (): Reply => ({ status: 204 });

const deleting = operationRoute({
  endpoint: endpoints.deleteLead,
  caller: apiKey,
  input(request, caller) {
    const { suppress } = queryOf(request, caller, endpoints.deleteLead);
    if (suppress !== undefined) bad("suppress", "unknown_key", "is only for erase=true");
    return { id: pathOf(request, "id"), ...versionFrom(request, undefined) };
  },
  operation: deleteLead,
  reply,
});

/** An erasure is for a person, not for a version of a lead, so it refuses If-Match. */
const { ifMatch: _, ...erasure } = endpoints.deleteLead;

const erasing = operationRoute({
  endpoint: erasure,
  caller: apiKey,
  input(request, caller) {
    const { suppress } = queryOf(request, caller, endpoints.deleteLead);
    return { id: pathOf(request, "id"), suppress: suppress === true };
  },
  long: true,
  operation: eraseLead,
  reply,
});

/** `DELETE /api/v1/leads/{id}`: deletes a lead or, with `erase=true`, erases it. */
const deleteLeadRoute = routeByQuery(deleting, ["erase", "true"], erasing);

/** Single leads: create, read, change, delete, restore, upsert. */
export const leadRoutes: readonly Route[] = [
  operationRoute({
    endpoint: endpoints.createLead,
    caller: apiKey,
    input: (...call) => ({ lead: bodyOf(...call) }),
    operation: createLead,
    reply: writtenReply,
  }),
  operationRoute({
    endpoint: endpoints.getLead,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.getLead),
      id: pathOf(request, "id"),
    }),
    operation: getLead,
    reply: leadReply,
  }),
  operationRoute({
    endpoint: endpoints.updateLead,
    caller: apiKey,
    input: (request, caller, endpoint) => {
      const { version, reason, ...lead } = bodyOf(request, caller, endpoint);
      const why = reason === undefined ? {} : { reason };
      return { id: pathOf(request, "id"), ...versionFrom(request, version), ...why, lead };
    },
    operation: updateLead,
    reply: writtenReply,
  }),
  deleteLeadRoute,
  operationRoute({
    endpoint: endpoints.restoreLead,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.restoreLead),
      id: pathOf(request, "id"),
      ...versionFrom(request, undefined),
    }),
    operation: restoreLead,
    reply: writtenReply,
  }),
  operationRoute({
    endpoint: endpoints.upsertLead,
    caller: apiKey,
    input(request, caller, endpoint) {
      const { if_version, if_absent, ...body } = bodyOf(request, caller, endpoint);
      return { ...body, ...conditionsFrom(request, { if_version, if_absent }) };
    },
    operation: upsertLead,
    reply: writtenReply,
  }),
];
