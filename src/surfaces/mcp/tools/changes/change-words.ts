import type { ChangeDetail } from "../../../../contract/changes/change.ts";
import { shortened } from "../shared/table.ts";

/** A change as operations return it. */
export type Change = Omit<ChangeDetail, "records" | "next_cursor">;
/** Returns a change in few words: what was done, when, by whom, and whether it can be undone. */
export function changeOf(change: Change): object {
  const { id, kind, actor, created_at: at, about, counts, state, job_id: job } = change;
  const { undoes, undone_by: undone, reversible, may_undo: mayUndo } = change;
  return {
    change_id: id,
    at: shortened(at),
    by: actor.label ?? actor.type,
    what: about.op === undefined ? kind : `${kind} ${about.op}`,
    counts,
    ...(state === "running" ? { state, job_id: job } : {}),
    ...(undoes === null ? {} : { undoes }),
    ...(undone === null ? {} : { undone_by: undone }),
    can_undo: reversible && mayUndo,
  };
}
