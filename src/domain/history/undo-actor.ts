import { Type } from "typebox";
import { type NotUndone, type UndoMany, UndoManyInput } from "../../contract/changes/undo.ts";
import { Refusal } from "../../core/refusal.ts";
import { undoneIdsSql } from "../changes/mark-undone.ts";
import { NO_ESTIMATES } from "../fields/project-schema.ts";
import { StatementScope } from "../filter/sql/statement-scope.ts";
import { checked, type MemberContext, memberOperation, requiring } from "../operation/operation.ts";
import { lockUndone, targetsOf, type UndoneChange, undoneChanges } from "../undo/open-undo.ts";
import { partlyUndone } from "../undo/run-undo.ts";
import type { Target } from "../undo/undo-step.ts";
import { type Counts, irreversible, notYours } from "../undo/undoable.ts";
import { bad } from "../values/bad-input.ts";
import { unstorable } from "../values/value.ts";
import { actorIs, madeBetween } from "./read/list-changes.ts";
import { performUndo, permitted } from "./undo-change.ts";

/** A call undoes no more changes than this. */
const MOST_CHANGES = 10_000;

const STANDING = { irreversible: null, undone_by: null, several: false, stopped: null };

interface ActorsChange extends UndoneChange {
  /** The changes that it undid, if it is an undo. */
  undid: string[];
}

/**
 * Undoes everything that an actor did since a moment, the newest change first, as one change. Names the changes that cannot
 * be undone. When only what it kept is left, it is continued.
 */
export const undoActor = memberOperation({
  name: "changes.undo_many",
  needs: "leads:write",
  orNeeds: "datasets:write",
  input: Type.Object({ ...UndoManyInput.properties }, { additionalProperties: false }),
  async run(
    asked,
    { actor, from, to, dry_run: dry = false, clear_opt_out: clears = false },
  ): Promise<UndoMany> {
    const may = dry ? requiring(asked, { any: ["leads:write", "datasets:write"], changes: false }) : asked;
    const found = await changesOf(may, { actor, from, to });
    const mine = new Set(found.map(({ id }) => id));
    // An undo of changes that are undone here anyway needs none.
    const wanted = found.filter(({ undid }) => undid.length === 0 || undid.some((id) => !mine.has(id)));
    if (wanted.some(({ may_undo: mayUndo }) => !mayUndo)) throw notYours();
    const { chosen, undo, refused } = chosenOf(wanted);
    // With nothing to undo, what the actor did decides who may know that.
    const counts = countsOf(chosen.length === 0 ? found : chosen);
    const context = permitted(asked, counts, dry);
    const done = await performUndo(context, {
      ...{ undoes: null, leadId: null, counts, dry, several: true },
      about: { actor, ...(chosen.length === 0 ? {} : { changes: chosen.length }) },
      async open(tx) {
        const { projectId } = context.caller;
        const targets: Target[] = [];
        // One that stands is locked when it is its turn.
        for (const change of chosen) {
          const state = undo === null ? STANDING : await lockUndone(tx, projectId, change.id);
          targets.push(...(await targetsOf(tx, projectId, change, state, { among: undo === null, clears })));
        }
        return { id: undo, targets };
      },
    });
    return { ...done.report, changes: chosen.length, not_undone: [...refused, ...done.refused] };
  },
});

/** The changes of an actor, newest first; 409 if there are too many. */
async function changesOf(
  context: MemberContext,
  { actor, from, to }: { actor: string; from: string; to: string | undefined },
): Promise<ActorsChange[]> {
  const { db, caller } = context;
  const scope = new StatementScope(caller.projectId, undefined, { ...NO_ESTIMATES, wanted: 0 });
  const { parameters } = scope;
  const text = await checked(context, () => {
    const fault = unstorable(actor);
    if (fault !== undefined) bad("$.actor", fault.code, fault.message);
    const { wanted, walk } = madeBetween(scope, from, to);
    const where = [...walk, ...wanted, actorIs(actor, caller, parameters)].join(" AND ");
    const undid = `, ARRAY(${undoneIdsSql("c.id", "c.undoes")}) AS undid`;
    return `${undoneChanges(caller, parameters, where, undid)} LIMIT ${MOST_CHANGES + 1}`;
  });
  const found = await db.query<ActorsChange>(text, parameters.values);
  if (found.length <= MOST_CHANGES) return found;
  const message = `The actor made more than ${MOST_CHANGES.toLocaleString("en")} changes in this time. Choose a later moment first.`;
  throw new Refusal("conflict", "too_many_changes", message);
}

/** Which changes are undone: all that stand, or, if there are none, those of which the latest undo kept something. */
function chosenOf(wanted: readonly ActorsChange[]): {
  chosen: readonly ActorsChange[];
  undo: string | null;
  refused: NotUndone[];
} {
  const open = wanted.filter((change) => change.irreversible === null);
  const fresh = open.filter((change) => change.undone_by === null);
  const undo = fresh.length > 0 ? null : (open[0]?.undone_by ?? null);
  const chosen = open.filter((change) => change.undone_by === undo);
  const refused = wanted.flatMap(({ id, irreversible: why, undone_by: by }): NotUndone[] => {
    if (why === "undone" || (why === null && by === undo)) return [];
    const { code, message } = why === null ? partlyUndone() : irreversible(why, by);
    return [{ change_id: id, code, message }];
  });
  return { chosen, undo, refused };
}

function countsOf(changes: readonly UndoneChange[]): Counts {
  const counts: Counts = {};
  for (const change of changes)
    for (const [name, count = 0] of Object.entries(change.counts)) counts[name] = (counts[name] ?? 0) + count;
  return counts;
}
