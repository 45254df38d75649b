import type { Undo } from "../../../contract/nouns/change.ts";
import type { Change } from "../../changes/change.ts";
import type { UndoneRecord } from "../../changes/undone-record.ts";
import { shownKept } from "../../leads/undo/undo-leads.ts";
import { may } from "../../operation/may-sql.ts";
import type { MemberContext } from "../../operation/operation.ts";
import { leadNameSql } from "../read/change-record.ts";
import { countUndone } from "./undo-parts.ts";
import type { UndoneChange } from "./undone-change.ts";

/** What an undo answers. */
export type UndoReport = Undo;

const SHOWN = 100;

const NAMES = `SELECT l.id, ${leadNameSql("l")} AS name FROM lead l WHERE l.project_id = $1 AND l.id = ANY ($2)`;

/** Reports what an undo did, with the names of leads for callers who may read them. */
export async function undoReport(
  { db, caller }: MemberContext,
  {
    undo,
    undone,
    dry,
    done,
    job = null,
    running = job !== null,
  }: {
    undo: Pick<Change, "id" | "made">;
    undone: Pick<UndoneChange, "id">;
    dry: boolean;
    done: readonly UndoneRecord[];
    job?: string | null;
    running?: boolean;
  },
): Promise<UndoReport> {
  const mayRead = done.length > 0 && (await may(db, caller, "leads:read"));
  const shown = mayRead
    ? [...done].sort((a, b) => Number(b.kept.length > 0) - Number(a.kept.length > 0)).slice(0, SHOWN)
    : [];
  const leads = shown.flatMap(({ kind, id }) => (kind === "lead" ? [id] : []));
  const rows =
    leads.length === 0
      ? []
      : await db.query<{ id: string; name: string | null }>(NAMES, [caller.projectId, leads]);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return {
    change_id: undo.made ? undo.id : null,
    undoes: undone.id,
    dry_run: dry,
    state: running ? "running" : "done",
    job_id: job,
    counts: countUndone(done),
    records: shown.map(({ kind, id, datasetId, outcome, putBack, kept }) => ({
      ...{ kind, id, dataset_id: datasetId ?? null, name: names.get(id) ?? null, outcome },
      put_back: [...putBack],
      kept: kept.map(shownKept),
    })),
  };
}
