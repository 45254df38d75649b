import * as changes from "../../../contract/changes/changes.ts";
import type { Undo } from "../../../contract/changes/undo.ts";
import { getChange } from "../../../domain/history/read/get-change.ts";
import { listChanges } from "../../../domain/history/read/list-changes.ts";
import { undoActor } from "../../../domain/history/undo-actor.ts";
import { undoChange } from "../../../domain/history/undo-change.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";

const list = operationRoute({
  endpoint: changes.listChanges,
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, changes.listChanges),
  operation: listChanges,
  reply: ({ json, nextCursor }) => ok(`{"changes":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
});

const one = operationRoute({
  endpoint: changes.getChange,
  caller: apiKey,
  input: (request, caller) => ({
    ...queryOf(request, caller, changes.getChange),
    id: pathOf(request, "id"),
  }),
  operation: getChange,
  reply: ({ json, records, nextCursor }) =>
    ok(`${json.slice(0, -1)},"records":${records},"next_cursor":${JSON.stringify(nextCursor)}}`),
});

const begun = (report: Pick<Undo, "state" | "change_id">) =>
  report.state === "running"
    ? { ...ok(report), status: 202, headers: { Location: `/api/v1/changes/${report.change_id}` } }
    : ok(report);

const undo = operationRoute({
  endpoint: changes.undoChange,
  caller: apiKey,
  input: (request, caller, endpoint) => bodyOf(request, caller, endpoint, { id: pathOf(request, "id") }),
  operation: undoChange,
  reply: begun,
});

const undoOfMany = operationRoute({
  endpoint: changes.undoMany,
  caller: apiKey,
  input: bodyOf,
  operation: undoActor,
  reply: begun,
});

/** Changes of the project's data, and their undo. */
export const changeRoutes: readonly Route[] = [list, one, undo, undoOfMany];
