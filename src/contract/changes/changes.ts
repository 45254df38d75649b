import { Type } from "typebox";
import { IdInPath, paging } from "../basics/basics.ts";
import { oneOf } from "../basics/constants.ts";
import { endpoint, json, type Tag } from "../basics/endpoint.ts";
import { CHANGE_KINDS } from "../lists/changes.ts";
import { timelineQuery } from "../timeline/timeline-query.ts";
import { ChangeDetail, ChangePage } from "./change.ts";
import { Undo, UndoInput, UndoMany, UndoManyInput } from "./undo.ts";

const tag: Tag = {
  name: "changes",
  description: "Everything that was written to the project, and its undo.",
};

const usual = { tag, refusals: "v1" } as const;

export const listChanges = endpoint({
  ...usual,
  needs: "leads:read",
  id: "changes.list",
  method: "GET",
  url: "/api/v1/changes",
  summary: "List changes",
  description:
    "Everything that was written to the project, newest first, for 30 days unless the operator chose another number. With " +
    "filters a page may be short, or empty, although next_cursor is not null.",
  query: Type.Object({
    ...paging,
    kind: Type.Optional(
      Type.Array(oneOf(CHANGE_KINDS), { minItems: 1, maxItems: 50, description: "Kinds of changes." }),
    ),
    actor: Type.Optional(
      Type.String({
        maxLength: 100,
        description: "The id of the key, person or authorization that made it; `me` for one's own.",
      }),
    ),
    lead: Type.Optional(Type.String({ maxLength: 100, description: "Changes of this lead." })),
    from: timelineQuery.from,
    to: timelineQuery.to,
    reversible: Type.Optional(
      Type.Boolean({ description: "Only those that can be undone, or only the others." }),
    ),
  }),
  answers: { 200: json(ChangePage, "A page of changes.") },
});

export const getChange = endpoint({
  ...usual,
  needs: "leads:read",
  id: "changes.get",
  method: "GET",
  url: "/api/v1/changes/{id}",
  summary: "Read a change",
  description:
    "What it did to each record, with the values before and after. Rows of datasets have names and values for callers " +
    "that may read datasets.",
  params: IdInPath,
  query: Type.Object(paging),
  answers: { 200: json(ChangeDetail, "The change, with a page of its records.") },
  refused: [404],
});

export const undoChange = endpoint({
  ...usual,
  needs: ["leads:write", "datasets:write"],
  id: "changes.undo",
  method: "POST",
  url: "/api/v1/changes/{id}/undo",
  summary: "Undo a change",
  description:
    "Puts former values back, except where somebody has changed them since: those are kept and named. Created leads are " +
    "deleted unless they were changed since, deleted ones are restored, lists lose what was added and get back what was " +
    "removed, and recorded events are withdrawn. The undo is a change itself, so undoing it makes the change again. What was " +
    "kept can be taken back later: undoing the change again continues the same undo. More than 10,000 records are undone by a job. 409 if the change cannot be undone, 403 if it is another's and the caller is " +
    "not an owner or admin. What is undone must be permitted: leads:write for leads, datasets:write for rows, schema:write " +
    "for fields and statuses, leads:write with leads:read for views. 409 view_used if a view that would be deleted is used " +
    "by others.",
  params: IdInPath,
  body: UndoInput,
  examples: { dry: { dry_run: true }, undo: {} },
  answers: {
    200: json(Undo, "What was undone, or would be."),
    202: json(Undo, "A job undoes it.", ["Location"]),
  },
  refused: [403, 404, 409],
});

export const undoMany = endpoint({
  ...usual,
  needs: ["leads:write", "datasets:write"],
  id: "changes.undoMany",
  method: "POST",
  url: "/api/v1/changes/undo",
  summary: "Undo everything that an actor did since",
  description:
    "Undoes the changes of a key, a person or an application since a moment, the newest first, as one change: undoing that one " +
    "makes them all again. Each is undone as by itself, so what others changed since is kept and named, and so is what cannot " +
    "be undone. Undos of the actor are undone as well, except those of changes that are undone here anyway. Called again " +
    "when nothing else is left, it continues with what was kept. More than 10,000 records or 1,000 changes are undone by a job. " +
    "403 if one of the changes is not yours or requires another permission; 409 too_many_changes if there are more than 10,000.",
  body: UndoManyInput,
  examples: {
    dry: { actor: "key_01kagx3m5w8q2r7t9v4c6d1f0h", from: "2026-03-31T14:00:00Z", dry_run: true },
    undo: { actor: "key_01kagx3m5w8q2r7t9v4c6d1f0h", from: "2026-03-31T14:00:00Z" },
  },
  answers: {
    200: json(UndoMany, "What was undone, or would be."),
    202: json(UndoMany, "A job undoes it.", ["Location"]),
  },
  refused: [403, 409],
});
