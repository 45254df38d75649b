import type { ImportMapping } from "../../contract/imports/import-mapping.ts";
import type { ImportState } from "../../contract/lists/states.ts";
import { Refusal } from "../../core/refusal.ts";
import type { ProjectDb, Queryable } from "../../db/pool/database.ts";
import { storedPieces } from "../imports/file/keep-pieces.ts";
import { recordsOf } from "../imports/file/open-import-file.ts";
import type { FileShape } from "../imports/file/shape/import-file.ts";
import { SHOWN_STATE } from "../imports/import-record.ts";
import { eventLoopYielder } from "../values/event-loop.ts";
import { PERSONAL } from "./rows-in-changes.ts";
import { cellMatcher, externalsIn, type Subject } from "./subject.ts";

/** An import that keeps a file or failed rows. */
export interface KeptImport {
  id: string;
  state: ImportState | "uploading";
  /** Null while it is uploaded. */
  shape: FileShape | null;
  mapping: ImportMapping | null;
  hasFile: boolean;
  /** Whether it created or changed one of the leads. */
  touched: boolean;
}

/** Imports of leads and of personal datasets; those of other datasets keep no person's data. */
const KEPT = `SELECT i.id, ${SHOWN_STATE} AS state, i.shape, i.mapping, i.bytes IS NOT NULL AS "hasFile",
    i.id = ANY (ARRAY(SELECT l.import_id FROM lead l WHERE l.project_id = $1 AND l.id = ANY ($2::text[])))
      OR EXISTS (SELECT FROM event e WHERE e.project_id = $1 AND e.change_id = i.change_id AND e.lead_id = ANY ($2::text[]))
      OR EXISTS (SELECT FROM change_item c WHERE c.project_id = $1 AND c.change_id = i.change_id AND c.kind = 'lead'
        AND c.record_id = ANY ($2::text[])) AS touched
  FROM import i LEFT JOIN job ON job.project_id = $1 AND job.id = i.job_id
  WHERE i.project_id = $1 AND i.erased_at IS NULL
    AND NOT EXISTS (SELECT FROM dataset d WHERE d.project_id = $1 AND d.id = i.dataset_id AND NOT ${PERSONAL})
    AND (i.state IN ('uploading', 'ready', 'checking', 'waiting', 'running', 'undoing')
      OR EXISTS (SELECT FROM import_piece p WHERE p.project_id = $1 AND p.import_id = i.id)
      OR EXISTS (SELECT FROM import_failure f WHERE f.project_id = $1 AND f.import_id = i.id))
  ORDER BY i.id`;

/** Reads the imports that keep something. With `lock`, they and what works on them stay as they are until the commit. */
export async function keptImports(
  db: Pick<Queryable, "query">,
  projectId: string,
  subject: Subject,
  lock: "lock" | "read",
): Promise<KeptImport[]> {
  const text = lock === "lock" ? `${KEPT} FOR UPDATE OF i` : KEPT;
  return await db.query<KeptImport>(text, [projectId, subject.leads]);
}

const FAILED = `SELECT number, row, cells FROM import_failure
  WHERE project_id = $1 AND import_id = $2 AND number > $3 ORDER BY number LIMIT 500`;

/** A row of a file that carries an identity of the person. */
export interface FoundRecord {
  number: number;
  line: number;
  cells: readonly string[];
}

/** Yields the rows of an import that carry an identity: of its file or, if that is not stored, of its failed rows. */
export async function* recordsOfSubject(
  db: ProjectDb,
  projectId: string,
  { id, shape, mapping, hasFile }: KeptImport,
  subject: Subject,
): AsyncGenerator<FoundRecord> {
  const matches = cellMatcher(subject);
  const of = externalsIn(shape?.header ?? [], mapping);
  if (hasFile && shape !== null) {
    let number = 0;
    const yieldIfDue = eventLoopYielder();
    for await (const { line, cells } of recordsOf(storedPieces(db, projectId, id), shape, true)) {
      if (line > (shape.headerRow ?? 0)) number += 1;
      if (matches(cells, { of, record: number })) yield { number, line, cells };
      await yieldIfDue();
    }
    return;
  }
  for (let after = 0, more = true; more; ) {
    const rows = await db.query<{ number: number; row: number; cells: string[] }>(FAILED, [
      projectId,
      id,
      after,
    ]);
    for (const { number, row, cells } of rows)
      if (matches(cells, { of, record: number })) yield { number, line: row, cells };
    after = rows.at(-1)?.number ?? after;
    more = rows.length === 500;
  }
}

/** Whether an import holds something of the person. A file that cannot be read might. */
async function holds(db: ProjectDb, projectId: string, kept: KeptImport, subject: Subject): Promise<boolean> {
  if (kept.touched || cellMatcher(subject)(kept.shape?.header ?? [])) return true;
  try {
    for await (const _ of recordsOfSubject(db, projectId, kept, subject)) return true;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "unprocessable") return true;
    throw error;
  }
  return false;
}

/** Adds to `known`, for every import that is not in it, whether it holds something of the person. */
export async function scanImports(
  db: ProjectDb,
  projectId: string,
  subject: Subject,
  known: Map<string, boolean>,
): Promise<void> {
  for (const kept of await keptImports(db, projectId, subject, "read")) {
    if (known.has(kept.id) || kept.state === "uploading") continue;
    known.set(kept.id, await holds(db, projectId, kept, subject));
  }
}

/** States in which an import reads its file or writes its rows. */
const WORKING: readonly string[] = ["uploading", "checking", "waiting", "running", "undoing"];

/** Whether an import works now on what it would lose. The command line's file is not stored, so it cannot be searched. */
export const isBusy = ({ id, state, hasFile }: KeptImport, known: ReadonlyMap<string, boolean>): boolean =>
  WORKING.includes(state) && (state === "uploading" || !hasFile || known.get(id) !== false);

/** Refuses (409) while an import that may contain the person is read or written. */
export function importRunning({ id, state }: KeptImport): Refusal {
  const what =
    state === "uploading"
      ? `The file of the import ${id} is being uploaded and may contain this person. Erase again when it has ended; one that was cut off ends after a minute.`
      : `The import ${id} is ${state} and may contain this person. Wait until it has ended, or cancel it, and erase again.`;
  const message = `${what} Nothing was erased.`;
  return new Refusal("conflict", "import_running", message, {
    faults: [{ path: "$", code: "import_running", message: id }],
  });
}
