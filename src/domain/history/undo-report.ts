import type { Undo } from "../../contract/changes/undo.ts";
import { UNDO_OUTCOMES, type UndoOutcome } from "../../contract/lists/changes.ts";
import type { Change } from "../changes/change.ts";
import type { UndoneRecord } from "../changes/undone-record.ts";
import { leadNameSql } from "../leads/read/lead-name.ts";
import { may, maySql } from "../operation/may-sql.ts";
import type { MemberContext } from "../operation/operation.ts";
import { Parameters } from "../sql/parameters.ts";
import { shownKept } from "../undo/kept.ts";
import type { Walked } from "../undo/run-undo.ts";
import { type Counts, readsOf } from "../undo/undoable.ts";
import { rowNameSql } from "./read/record-name.ts";

/** What an undo answers, but for what it undoes. */
export type UndoReport = Omit<Undo, "undoes">;

const SHOWN = 100;

/** The names of leads, rows and views by their ids; those of rows only for callers who may read datasets. */
async function namesOf(
  { db, caller }: Pick<MemberContext, "db" | "caller">,
  records: readonly UndoneRecord[],
): Promise<ReadonlyMap<string, string | null>> {
  const of = (kind: UndoneRecord["kind"]) => records.filter((record) => record.kind === kind);
  const [leads, rows, views] = [of("lead"), of("row"), of("view")];
  const parameters = new Parameters();
  const project = parameters.text(caller.projectId);
  const parts: string[] = [];
  if (leads.length > 0)
    parts.push(`SELECT l.id, ${leadNameSql("l")} AS name FROM lead l
      WHERE l.project_id = ${project} AND l.id = ANY (${parameters.texts(leads.map(({ id }) => id))})`);
  if (rows.length > 0)
    parts.push(`SELECT r.id, ${rowNameSql("r.cells")} AS name
      FROM dataset_row r JOIN dataset d ON d.project_id = ${project} AND d.id = r.dataset_id
      WHERE r.project_id = ${project} AND r.dataset_id = ANY (${parameters.texts(rows.flatMap(({ datasetId }) => datasetId ?? []))})
        AND r.id = ANY (${parameters.texts(rows.map(({ id }) => id))}) AND ${maySql(caller, parameters, "datasets:read")}`);
  if (views.length > 0)
    parts.push(`SELECT v.id, v.name FROM saved_view v
      WHERE v.project_id = ${project} AND v.id = ANY (${parameters.texts(views.map(({ id }) => id))})`);
  if (parts.length === 0) return new Map();
  const found = await db.query<{ id: string; name: string | null }>(
    parts.join(" UNION ALL "),
    parameters.values,
  );
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** What an undo did, and of what. */
interface Reported {
  undo: Pick<Change, "id" | "made">;
  counts: Counts;
  dry: boolean;
  /** How many records it looks at. */
  total: number;
  job: string | null;
  /** Undefined if a job does it. */
  walked: Walked | undefined;
}

/** Reports what an undo did, with the names of records for callers who may read them. */
export async function undoReport(
  context: MemberContext,
  { undo, counts, dry, total, job, walked }: Reported,
): Promise<UndoReport> {
  const done = walked?.done ?? [];
  let mayRead = done.length > 0;
  for (const permission of readsOf(counts)) mayRead &&= await may(context.db, context.caller, permission);
  const shown = mayRead
    ? [...done].sort((a, b) => Number(b.kept.length > 0) - Number(a.kept.length > 0)).slice(0, SHOWN)
    : [];
  const names = await namesOf(context, shown);
  return {
    change_id: undo.made ? undo.id : null,
    dry_run: dry,
    state: walked === undefined ? "running" : "done",
    job_id: job,
    counts: countUndone(done),
    opt_outs_kept: mayRead
      ? done.filter(({ kept }) => kept.some(({ reason }) => reason === "opt_out")).length
      : 0,
    total,
    complete: walked?.complete ?? true,
    records: shown.map(({ kind, id, datasetId, outcome, putBack, kept }) => ({
      ...{ kind, id, dataset_id: datasetId ?? null, name: names.get(id) ?? null, outcome },
      put_back: [...putBack],
      kept: kept.map(shownKept),
    })),
  };
}

/** The number of records by outcome; one with something kept counts as kept, too. */
function countUndone(done: readonly UndoneRecord[]): UndoReport["counts"] {
  const counts = Object.fromEntries(UNDO_OUTCOMES.map((name) => [name, 0])) as Record<UndoOutcome, number>;
  for (const { outcome, kept } of done) {
    if (outcome !== "kept") counts[outcome] += 1;
    if (kept.length > 0) counts.kept += 1;
  }
  return counts;
}
