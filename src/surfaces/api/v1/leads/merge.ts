import { Type } from "typebox";
import { MergeInput, mergeLeads } from "../../../../domain/leads/merge/merge-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { IdInPath, Lead, refusals } from "../../shared/described.ts";
import { bodyOf, pathOf } from "../../shared/input.ts";

/** `POST /api/v1/leads/{id}/merge`: merges another lead into this one. */
export const mergeLeadsRoute = operationRoute({
  method: "POST",
  url: "/api/v1/leads/:id/merge",
  describe: {
    tags: ["merges"],
    bearer: true,
    params: IdInPath,
    summary: "Merge another lead into this one",
    description:
      "This lead keeps its values and fills empty fields from the other; tags, e-mails and phones are combined, all events of " +
      "both are on its timeline, those of the other marked by merged_from. The other lead is then 404 with the code merged " +
      "and this lead's id. POST /api/v1/merges/{merge_id}/undo undoes it.",
    body: MergeInput,
    answers: {
      200: Type.Object({
        merge_id: Type.String(),
        merged_id: Type.String({ description: "The lead that was merged into this one." }),
        changed: Type.Array(Type.String(), { description: "The fields of this lead that changed." }),
        lead: Lead,
      }),
      ...refusals(404, 413, 415, 422),
    },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...bodyOf(request, caller), id: pathOf(request, "id") }),
  operation: mergeLeads,
  reply: ({ mergeId, mergedId, changed, json }) =>
    ok(
      `{"merge_id":"${mergeId}","merged_id":"${mergedId}","changed":${JSON.stringify(changed)},"lead":${json}}`,
    ),
});
