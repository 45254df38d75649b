import type { ImportMapping } from "../../contract/imports/import-mapping.ts";
import type { ImportQuestion } from "../../contract/imports/import-question.ts";
import type { ImportState } from "../../contract/lists/states.ts";
import { type Fault, notFound, Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { UNDONE_SQL } from "../changes/mark-undone.ts";
import { maySql } from "../operation/may-sql.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";
import type { ColumnProfile } from "./file/column-profile.ts";
import type { FileShape } from "./file/shape/import-file.ts";
import { FORGOTTEN_SQL } from "./former-values.ts";
import type { KeptFacts, Said } from "./questions/keep-proposal.ts";
import type { Answers } from "./questions/propose.ts";

/** The message of a question for a caller who may not see the values that raise it. */
export const WITHHELD =
  "The file can be read in several ways here. See them with the permission to read, or declare it.";

/** A failed job leaves its import's state unchanged; this expression shows the state that follows from both. */
export const SHOWN_STATE = `CASE WHEN job.state IS DISTINCT FROM 'failed' THEN i.state
  WHEN i.state IN ('waiting', 'running') THEN 'failed' WHEN i.state = 'checking' THEN 'ready'
  WHEN i.state = 'undoing' THEN 'done' ELSE i.state END`;

const shown = (mayRead: string, project: string): string => `i.id, ${SHOWN_STATE} AS state,
  json_build_object('name', i.file_name, 'bytes', i.bytes, 'format', i.shape ->> 'format', 'encoding', i.shape ->> 'encoding',
    'bom', i.shape -> 'bom', 'delimiter', i.shape ->> 'delimiter', 'header_row', i.shape -> 'headerRow', 'rows', i.records,
    'sheet', i.shape ->> 'sheet', 'sheets', i.shape -> 'sheets') AS file,
  CASE WHEN i.dataset_id IS NOT NULL THEN json_build_object('id', i.dataset_id, 'key', (SELECT d.key FROM dataset d
    WHERE d.project_id = ${project} AND d.id = i.dataset_id AND d.deleted_at IS NULL)) END AS dataset,
  i.preset, CASE WHEN ${mayRead} THEN coalesce(i.columns, '[]') ELSE ${UNREAD_COLUMNS} END AS columns, i.mapping,
  CASE WHEN ${mayRead} THEN coalesce(i.asked, '[]') ELSE ${UNREAD_QUESTIONS} END AS questions,
  coalesce(i.skipped_columns, '[]') AS skipped_columns,
  CASE WHEN ${mayRead} THEN '{"opted_out": 0, "opt_outs_kept": 0}' || i.dry_run END AS dry_run,
  i.rows, i.created, i.updated + CASE WHEN ${mayRead} THEN 0 ELSE i.unchanged END AS updated,
  CASE WHEN ${mayRead} THEN i.unchanged ELSE 0 END AS unchanged, i.skipped, i.failed, i.opted_out,
  CASE WHEN ${mayRead} THEN i.opt_outs_kept ELSE 0 END AS opt_outs_kept,
  CASE WHEN ${mayRead} THEN i.undo END AS undo, CASE WHEN ${mayRead} OR NOT coalesce(i.error, job.error) ->> 'code' LIKE 'ambiguous%' THEN coalesce(i.error, job.error)
    ELSE coalesce(i.error, job.error) || '{"message": "${WITHHELD}"}' END AS error, CASE WHEN ${mayRead} THEN i.change_id END AS change_id, i.actor,
  i.created_at, i.started_at, i.finished_at, i.expires_at, i.erased_at`;

const UNREAD_COLUMNS = `(SELECT coalesce(jsonb_agg(c || '{"samples": [], "values": null}' ORDER BY n), '[]')
    FROM jsonb_array_elements(i.columns) WITH ORDINALITY AS each_column (c, n))`;
const UNREAD_QUESTIONS = `(SELECT coalesce(jsonb_agg(q || '{"message": "${WITHHELD}", "examples": []}' || jsonb_build_object('choices', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', c -> 'id', 'label', c -> 'id', 'examples', '[]'::jsonb) ORDER BY m), '[]')
      FROM jsonb_array_elements(q -> 'choices') WITH ORDINALITY AS each_choice (c, m))) ORDER BY n), '[]')
    FROM jsonb_array_elements(i.asked) WITH ORDINALITY AS each_question (q, n))`;

/**
 * Returns a statement that selects imports as JSON text, from rows of `import`; without the contents of their files
 * for a caller who may not read them.
 */
export function importRecords(caller: Credential, parameters: Parameters, rows: string): string {
  const reads = (permission: "leads:read" | "datasets:read") => maySql(caller, parameters, permission);
  const project = parameters.text(caller.projectId);
  return `SELECT id, row_to_json(shown)::text AS json FROM (SELECT ${shown("reader.may", project)} FROM (${rows}) AS i
     CROSS JOIN LATERAL (SELECT CASE WHEN i.dataset_id IS NULL THEN ${reads("leads:read")} ELSE ${reads("datasets:read")} END AS may) AS reader
     LEFT JOIN job ON job.project_id = ${project} AND job.id = i.job_id) AS shown ORDER BY id DESC`;
}

export interface ImportRow {
  id: string;
  json: string;
}

/** The statement that selects one import, with its values; of one dataset, if that is given. */
export function oneImport(
  caller: Credential,
  id: string,
  dataset?: string,
): { text: string; values: readonly unknown[] } {
  const parameters = new Parameters();
  const rows = `SELECT * FROM import WHERE project_id = ${parameters.text(caller.projectId)}
    AND id = ${parameters.text(id)} AND state <> 'uploading'
    ${dataset === undefined ? "" : `AND dataset_id = ${parameters.text(dataset)}`}`;
  return { text: importRecords(caller, parameters, rows), values: parameters.values };
}

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
  questions: ImportQuestion[];
  /** What an import from before its questions could be answered must declare. */
  formerQuestions: Fault[];
  facts: KeptFacts | null;
  said: Said | null;
  answers: Answers;
  rows: number;
  jobId: string | null;
  /** The change that its rows are, once it has written any. */
  changeId: string | null;
  /** Whether its undo kept something, so that it can be continued. */
  isKept: boolean;
  /** Whether an undo has nothing to go by any more. */
  forgotten: boolean;
  over: boolean;
  /** Whether its file and failed rows were removed with an erased person. */
  erased: boolean;
  queued: boolean;
}

const LOCKED = `SELECT ${SHOWN_STATE} AS state, i.bytes IS NOT NULL AS pieces, i.shape, i.columns, i.mapping, i.preset ->> 'name' AS preset,
    i.dataset_id AS dataset,
    coalesce(i.asked, '[]') AS questions, CASE WHEN i.asked IS NULL THEN coalesce(i.questions, '[]') ELSE '[]' END AS "formerQuestions",
    i.facts, i.said, i.answers, i.rows, i.job_id AS "jobId", i.change_id AS "changeId",
    EXISTS (SELECT FROM change c WHERE c.project_id = $1 AND c.id = i.change_id AND c.undone_by IS NOT NULL AND NOT ${UNDONE_SQL}) AS "isKept",
    ${FORGOTTEN_SQL} AS forgotten, i.expires_at <= moment() AS over,
    i.erased_at IS NOT NULL AS erased, i.job_id IS NOT NULL AS queued
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

/** The refusal (410) of an import that contained a person who was erased. */
export const erasedFile = (): Refusal =>
  new Refusal(
    "gone",
    "erased",
    "This import contained a person who was erased, so its file and failed rows were removed. Upload the file again, without that person.",
  );

/** Refuses (409) an import in another state, and (410) an expired one. */
export function mustBe({ state, over }: StoredImport, ...states: readonly ImportState[]): void {
  if (over) throw expired();
  if (states.includes(state)) return;
  const text = `This import is ${state}; this needs the state ${states.join(" or ")}.`;
  throw new Refusal("conflict", "wrong_state", text);
}

/** Refuses an import whose file is not stored: 410 if it was removed with an erased person, otherwise 409. */
export function mustHaveFile({ pieces, erased }: StoredImport): void {
  if (erased) throw erasedFile();
  if (pieces) return;
  const text = "This import's file was read by the command line and is not stored.";
  throw new Refusal("conflict", "no_file", `${text} Import it there again.`);
}

/** Reads the record of an import in the transaction that changed it. */
export async function shownImport(tx: Transaction, caller: Credential, id: string): Promise<ImportRow> {
  const { text, values } = oneImport(caller, id);
  const [row] = await tx.query<ImportRow>(text, values);
  if (row === undefined) throw notFound("import");
  return row;
}
