import * as endpoints from "../../../../contract/merges.ts";
import { mergeLeads } from "../../../../domain/leads/merge/merge-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { bodyOf, pathOf } from "../../shared/input.ts";
import { versionFrom } from "../../shared/preconditions.ts";

/** `POST /api/v1/leads/{id}/merge`: merges another lead into this one. */
export const mergeLeadsRoute = operationRoute({
  endpoint: endpoints.mergeLeads,
  caller: apiKey,
  input(request, caller, endpoint) {
    const { version, ...body } = bodyOf(request, caller, endpoint, { id: pathOf(request, "id") });
    return { ...body, ...versionFrom(request, version) };
  },
  operation: mergeLeads,
  reply: ({ mergeId, mergedId, changed, json }) =>
    ok(
      `{"merge_id":"${mergeId}","merged_id":"${mergedId}",${changed === undefined ? "" : `"changed":${JSON.stringify(changed)},`}"lead":${json}}`,
    ),
});
