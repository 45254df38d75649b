import { Type } from "typebox";
import { undoMerge } from "../../../domain/leads/merge/undo-merge.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute } from "../../../http/route/route.ts";
import { IdInPath, Lead, refusals } from "../shared/described.ts";
import { pathOf, queryOf } from "../shared/input.ts";

/** `POST /api/v1/merges/{id}/undo`: separates two merged leads again. */
export const undoMergeRoute = operationRoute({
  method: "POST",
  url: "/api/v1/merges/:id/undo",
  describe: {
    tags: ["merges"],
    bearer: true,
    params: IdInPath,
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
});
