import type { Transaction } from "../../db/pool/database.ts";
import { cellMatcher, patternsOf, type Subject, withoutMentions } from "./subject.ts";

const FILES = "DELETE FROM import_piece WHERE project_id = $1 AND import_id = ANY ($2)";
const FAILURES = "DELETE FROM import_failure WHERE project_id = $1 AND import_id = ANY ($2)";

const EMPTIED = `(SELECT jsonb_agg(profile || '{"samples": [], "values": null}' ORDER BY place)
    FROM jsonb_array_elements(columns) WITH ORDINALITY AS each (profile, place))`;

/** A waiting upload has lost its purpose; otherwise the state stays. Questions quote cells. */
const MARK = `UPDATE import SET erased_at = moment(), columns = coalesce(${EMPTIED}, '[]'), questions = '[]', asked = '[]', facts = NULL,
    state = CASE WHEN state = 'ready' THEN 'cancelled' ELSE state END
  WHERE project_id = $1 AND id = ANY ($2)`;

/** Samples of files that are not stored, and so cannot be searched. */
const SAMPLES = `UPDATE import SET columns = ${EMPTIED}, questions = '[]', asked = '[]', facts = NULL
  WHERE project_id = $1 AND (bytes IS NULL OR expires_at <= moment()) AND state NOT IN ('uploading', 'ready', 'checking')
    AND jsonb_typeof(columns) = 'array' AND columns <> '[]'
    AND EXISTS (SELECT FROM jsonb_array_elements(columns) AS each (profile) WHERE profile -> 'samples' <> '[]')`;

const DESCRIBED = `SELECT id, file_name, shape, columns, skipped_columns, mapping, questions, error, preset FROM import
  WHERE project_id = $1 AND state <> 'uploading'
    AND (id = ANY ($2) OR lower(concat(file_name, shape, columns, skipped_columns, mapping, error)) LIKE ANY ($3::text[])
      OR regexp_replace(concat(file_name, shape, columns, skipped_columns, mapping, error), '\\D', '', 'g') LIKE ANY ($4::text[]))`;

const REDACT = `UPDATE import SET file_name = $3, shape = $4, columns = $5, skipped_columns = $6, mapping = $7, questions = $8,
    error = $9, preset = $10
  WHERE project_id = $1 AND id = $2`;

interface Described {
  id: string;
  file_name: string;
  [column: string]: unknown;
}

/**
 * Removes file, failed rows and samples of the imports that hold something of the person, and the person from what an
 * undo needs. Counts stay, and an undo of other leads, which needs no file.
 */
export async function forgetImports(
  tx: Transaction,
  projectId: string,
  subject: Subject,
  held: readonly string[],
): Promise<void> {
  await tx.query(FILES, [projectId, held]);
  await tx.query(FAILURES, [projectId, held]);
  await tx.query(MARK, [projectId, held]);
  await tx.query(SAMPLES, [projectId]);
  const matches = cellMatcher(subject);
  for (const found of await tx.query<Described>(DESCRIBED, [projectId, held, ...patternsOf(subject)])) {
    const { id, ...all } = found;
    const left = withoutMentions(all, matches) as Omit<Described, "id">;
    if (JSON.stringify(left) === JSON.stringify(all)) continue;
    const { file_name: name, ...columns } = left;
    const json = [
      columns.shape,
      columns.columns,
      columns.skipped_columns,
      columns.mapping,
      columns.questions,
      columns.error,
      columns.preset,
    ];
    await tx.query(REDACT, [
      ...[projectId, id, name],
      ...json.map((each) => (each === null ? null : JSON.stringify(each))),
    ]);
  }
}
