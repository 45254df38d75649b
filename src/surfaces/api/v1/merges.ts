import * as endpoints from "../../../contract/merges.ts";
import { undoMerge } from "../../../domain/undo/undo-merge.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute } from "../../../http/route/route.ts";
import { bodyOf, pathOf } from "../shared/input.ts";

/** `POST /api/v1/merges/{id}/undo`: separates two merged leads again. */
export const undoMergeRoute = operationRoute({
  endpoint: endpoints.undoMerge,
  caller: apiKey,
  input: (request, caller, endpoint) => bodyOf(request, caller, endpoint, { id: pathOf(request, "id") }),
  operation: undoMerge,
  reply: ({ mergeId, leads, kept }) =>
    ok(
      `{"merge_id":"${mergeId}","leads":[${leads.join(",")}]${kept === undefined ? "" : `,"kept":${JSON.stringify(kept)}`}}`,
    ),
});
