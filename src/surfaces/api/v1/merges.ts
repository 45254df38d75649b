import { Type } from "typebox";
import { MergeInput, mergeLeads } from "../../../domain/leads/merge/merge-leads.ts";
import { undoMerge } from "../../../domain/leads/merge/undo-merge.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { Lead, refusals } from "../shared/described.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";

const usual = { tags: ["merges"], bearer: true as const, params: Type.Object({ id: Type.String() }) };

/** Two leads that are one person, and back. */
export const mergeRoutes: readonly Route[] = [
  operationRoute({
    method: "POST",
    url: "/api/v1/leads/:id/merge",
    describe: {
      ...usual,
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
  }),
  operationRoute({
    method: "POST",
    url: "/api/v1/merges/:id/undo",
    describe: {
      ...usual,
      summary: "Undo a merge",
      description:
        "Both leads are restored with their own events; events since the merge stay with the first. Later changes are kept " +
        "and listed under kept. 409 if it was already undone, or its lead has since been merged or deleted.",
      answers: {
        200: Type.Object({
          merge_id: Type.String(),
          leads: Type.Array(Lead, { minItems: 2, maxItems: 2 }),
          kept: Type.Array(Type.String(), { description: "Fields that have changed since the merge." }),
        }),
        ...refusals(404, 409),
      },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
    operation: undoMerge,
    reply: ({ mergeId, leads, kept }) =>
      ok(`{"merge_id":"${mergeId}","leads":[${leads.join(",")}],"kept":${JSON.stringify(kept)}}`),
  }),
];
