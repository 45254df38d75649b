import type { ImportState } from "../../contract/lists/states.ts";
import type { ImportMapping } from "../../contract/nouns/imports/import-mapping.ts";
import { notFound, Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { ColumnProfile } from "./file/column-profile.ts";
import type { FileShape } from "./file/import-file.ts";

/** A failed job leaves its import's state unchanged; this expression shows the state that follows from both. */
const STATE = `CASE WHEN job.state IS DISTINCT FROM 'failed' THEN i.state
  WHEN i.state IN ('waiting', 'running') THEN 'failed' WHEN i.state = 'checking' THEN 'ready'
  WHEN i.state = 'undoing' THEN 'done' ELSE i.state END`;

const SHOWN = `i.id, ${STATE} AS state,
  json_build_object('name', i.file_name, 'bytes', i.bytes, 'format', i.shape ->> 'format', 'encoding', i.shape ->> 'encoding',
    'bom', i.shape -> 'bom', 'delimiter', i.shape ->> 'delimiter', 'header_row', i.shape -> 'headerRow', 'rows', i.records,
    'sheet', i.shape ->> 'sheet', 'sheets', i.shape -> 'sheets') AS file,
  CASE WHEN i.dataset_id IS NOT NULL THEN json_build_object('id', i.dataset_id, 'key', (SELECT d.key FROM dataset d
    WHERE d.project_id = $1 AND d.id = i.dataset_id AND d.deleted_at IS NULL)) END AS dataset,
  i.preset, coalesce(i.columns, '[]') AS columns, i.mapping, coalesce(i.questions, '[]') AS questions,
  coalesce(i.skipped_columns, '[]') AS skipped_columns, i.dry_run,
  i.rows, i.created, i.updated, i.unchanged, i.skipped, i.failed, i.undo, coalesce(i.error, job.error) AS error, i.actor,
  i.created_at, i.started_at, i.finished_at, i.expires_at`;

/** Returns a statement that selects imports as JSON text, from rows of `import`. */
export const importRecords = (rows: string): string =>
  `SELECT id, row_to_json(shown)::text AS json FROM (SELECT ${SHOWN} FROM (${rows}) AS i
     LEFT JOIN job ON job.project_id = $1 AND job.id = i.job_id) AS shown ORDER BY id DESC`;

export interface ImportRow {
  id: string;
  json: string;
}

/** One import by project (`$1`) and id (`$2`). */
export const ONE_IMPORT = importRecords(
  "SELECT * FROM import WHERE project_id = $1 AND id = $2 AND state <> 'uploading'",
);

/** An import as jobs and operations use it. */
export interface StoredImport {
  state: ImportState;
  pieces: boolean;
  shape: FileShape;
  columns: ColumnProfile[];
  mapping: ImportMapping;
  preset: string | null;
  /** The id of the dataset that it fills; null for leads. */
  dataset: string | null;
  questions: { path: string; code: string; message: string }[];
  rows: number;
  jobId: string | null;
  over: boolean;
  queued: boolean;
}

const LOCKED = `SELECT ${STATE} AS state, i.bytes IS NOT NULL AS pieces, i.shape, i.columns, i.mapping, i.preset ->> 'name' AS preset,
    i.dataset_id AS dataset,
    coalesce(i.questions, '[]') AS questions, i.rows, i.job_id AS "jobId", i.expires_at <= moment() AS over,
    i.job_id IS NOT NULL AS queued
  FROM import i LEFT JOIN job ON job.project_id = $1 AND job.id = i.job_id
  WHERE i.project_id = $1 AND i.id = $2 AND i.state <> 'uploading' FOR UPDATE OF i`;

/** Locks an import until the commit; refuses (404) an unknown one. */
export async function lockImport(tx: Transaction, projectId: string, id: string): Promise<StoredImport> {
  await tx.query("SELECT FROM import WHERE project_id = $1 AND id = $2 FOR UPDATE", [projectId, id]);
  const [row] = await tx.query<StoredImport>(LOCKED, [projectId, id]);
  if (row === undefined) throw notFound("import");
  return row;
}

/** The refusal (410) of an import whose thirty days are over. */
export const expired = (): Refusal =>
  new Refusal(
    "gone",
    "expired",
    "An import keeps its file, its failed rows and what an undo needs for 30 days. Upload the file again.",
  );

/** Refuses (409) an import in another state, and (410) an expired one. */
export function mustBe({ state, over }: StoredImport, ...states: readonly ImportState[]): void {
  if (over) throw expired();
  if (states.includes(state)) return;
  const text = `This import is ${state}; this needs the state ${states.join(" or ")}.`;
  throw new Refusal("conflict", "wrong_state", text);
}

/** Refuses (409) an import whose file is not stored. */
export function mustHaveFile({ pieces }: StoredImport): void {
  if (pieces) return;
  const text = "This import's file was read by the command line and is not stored.";
  throw new Refusal("conflict", "no_file", `${text} Import it there again.`);
}

/** Reads the record of an import in the transaction that changed it. */
export async function shownImport(tx: Transaction, projectId: string, id: string): Promise<ImportRow> {
  const [row] = await tx.query<ImportRow>(ONE_IMPORT, [projectId, id]);
  if (row === undefined) throw notFound("import");
  return row;
}
