import type { Transaction } from "../../db/pool/database.ts";
import type { Link } from "../fields/link.ts";
import { mentionMatcher, patternsOf, type Subject, withoutMentions } from "./subject.ts";

/** SQL: whether the rows of the dataset `d` belong to the people they are linked to. */
export const PERSONAL = `(d.lead_link IS NOT NULL AND d.lead_link ->> 'personal' IS DISTINCT FROM 'false')`;

const DATASETS = `SELECT d.id, d.key, d.deleted_at IS NOT NULL AS deleted, d.lead_link FROM dataset d
  WHERE d.project_id = $1 AND ${PERSONAL} ORDER BY d.id`;

/** Whether a lead that is left has the identity: its row then belongs to that lead, too. */
const LEFT: Readonly<Record<Link["match"], string>> = {
  email: "lower(l.email)",
  phone: "l.phone_e164",
  external_id: "l.external_id",
  lead_id: "l.id",
};

/** A personal dataset. */
export interface PersonalDataset {
  id: string;
  key: string;
  /** Whether it waits for the sweep; another dataset may have its key. */
  deleted: boolean;
  lead_link: Link;
}

/** The personal datasets of the project; with `lock`, their writers wait until the commit. */
export const personalDatasets = (
  db: Pick<Transaction, "query">,
  projectId: string,
  lock: "lock" | "read",
): Promise<PersonalDataset[]> =>
  db.query<PersonalDataset>(lock === "lock" ? `${DATASETS} FOR NO KEY UPDATE` : DATASETS, [projectId]);

/** The values of a link column that mean the person. */
export const linksOf = ({ match }: Link, subject: Subject): string[] =>
  ({
    ...{ email: subject.emails, phone: subject.phones },
    ...{ external_id: subject.externals, lead_id: subject.leads },
  })[match];

/**
 * Deletes the rows of personal datasets that are linked to the person and to no lead that is left, with what changes
 * keep to undo them or of rows that name `own`. Returns their number. The leads must be gone.
 */
export async function forgetRows(
  tx: Transaction,
  projectId: string,
  datasets: readonly PersonalDataset[],
  subject: Subject,
  own: Subject,
): Promise<number> {
  const all: string[] = [];
  for (const { id, lead_link: link } of datasets) {
    const column = `r.link${link.side === 1 ? 1 : 0}`;
    const gone = await tx.query<{ id: string }>(
      `DELETE FROM dataset_row r WHERE r.project_id = $1 AND r.dataset_id = $2 AND ${column} = ANY ($3::text[])
         AND NOT EXISTS (SELECT FROM lead l WHERE l.project_id = $1 AND ${LEFT[link.match]} = ${column}) RETURNING r.id`,
      [projectId, id, linksOf(link, subject)],
    );
    all.push(...gone.map((row) => row.id));
    if (gone.length > 0)
      await tx.query("UPDATE dataset SET change_faults = NULL WHERE project_id = $1 AND id = $2", [
        projectId,
        id,
      ]);
  }
  await forgetKept(tx, projectId, all, own);
  return all.length;
}

const NEAR = `SELECT i.change_id, (SELECT about ->> 'import_id' FROM change c WHERE c.project_id = $1 AND c.id = i.change_id) AS import_id, i.id, i.record_id AS row_id, i.dataset_id, i.before, i.after FROM change_item i
  WHERE i.project_id = $1 AND i.kind = 'row'
    AND NOT EXISTS (SELECT FROM dataset d WHERE d.project_id = $1 AND d.id = i.dataset_id AND NOT ${PERSONAL})
    AND (i.record_id = ANY ($4::text[])
    OR lower(concat(i.before, ' ', i.after)) LIKE ANY ($2::text[])
    OR regexp_replace(concat(i.before, ' ', i.after), '\\D', '', 'g') LIKE ANY ($3::text[]))`;

const FORGET = `DELETE FROM change_item i USING jsonb_to_recordset($2::jsonb) AS g (change_id text, id text)
  WHERE i.project_id = $1 AND i.change_id = g.change_id AND i.id = g.id`;

/** What a change keeps to undo a row: its cells by their place in the dataset. */
interface KeptRow {
  change_id: string;
  /** The import that the change is, if it is one. */
  import_id: string | null;
  id: string;
  row_id: string;
  dataset_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Returns what changes keep to undo these rows or ones that name the subject; their dataset may be gone. */
export async function keptRowsOf(
  db: Pick<Transaction, "query">,
  projectId: string,
  ids: readonly string[],
  subject: Subject,
): Promise<KeptRow[]> {
  const matches = mentionMatcher(subject);
  const found = await db.query<KeptRow>(NEAR, [...[projectId, ...patternsOf(subject)], ids]);
  const named = found.filter(({ before, after }) => {
    const cells = [before, after];
    return JSON.stringify(withoutMentions(cells, matches)) !== JSON.stringify(cells);
  });
  // What other changes did to such a row need not name the person, and is about it all the same.
  const all = [...new Set([...ids, ...named.map(({ row_id }) => row_id)])];
  return await db.query<KeptRow>(NEAR, [projectId, [], [], all]);
}

/** Deletes what changes keep to undo rows that are gone or name the subject. */
async function forgetKept(
  tx: Transaction,
  projectId: string,
  ids: readonly string[],
  subject: Subject,
): Promise<void> {
  const kept = await keptRowsOf(tx, projectId, ids, subject);
  if (kept.length === 0) return;
  const forgotten = kept.map(({ change_id, id }) => ({ change_id, id }));
  await tx.query(FORGET, [projectId, JSON.stringify(forgotten)]);
}
