import type { Transaction } from "../../db/pool/database.ts";
import type { Link } from "../fields/link.ts";
import type { Subject } from "./subject.ts";

/** SQL: whether the rows of the dataset `d` belong to the people they are linked to. */
export const PERSONAL = `(d.lead_link IS NOT NULL AND d.lead_link ->> 'personal' IS DISTINCT FROM 'false')`;

const DATASETS = `SELECT d.id, d.key, d.lead_link FROM dataset d
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
 * Deletes the rows of personal datasets that are linked to the person and to no lead that is left, with what imports
 * kept to undo them. Returns their number. The leads must be gone.
 */
export async function forgetRows(
  tx: Transaction,
  projectId: string,
  datasets: readonly PersonalDataset[],
  subject: Subject,
): Promise<number> {
  let count = 0;
  for (const { id, lead_link: link } of datasets) {
    const column = `r.link${link.side === 1 ? 1 : 0}`;
    const gone = await tx.query<{ id: string }>(
      `DELETE FROM dataset_row r WHERE r.project_id = $1 AND r.dataset_id = $2 AND ${column} = ANY ($3::text[])
         AND NOT EXISTS (SELECT FROM lead l WHERE l.project_id = $1 AND ${LEFT[link.match]} = ${column}) RETURNING r.id`,
      [projectId, id, linksOf(link, subject)],
    );
    count += gone.length;
    await tx.query(
      `DELETE FROM import_row t USING import i WHERE t.project_id = $1 AND i.project_id = $1 AND i.id = t.import_id
         AND i.dataset_id = $2 AND (t.row_id = ANY ($3::text[])
           OR lower(coalesce(t.before::text, '') || t.after::text) LIKE ANY ($4::text[]))`,
      [projectId, id, gone.map((row) => row.id), patternsOf(subject)],
    );
    if (gone.length > 0)
      await tx.query("UPDATE dataset SET change_faults = NULL WHERE project_id = $1 AND id = $2", [
        projectId,
        id,
      ]);
  }
  return count;
}

/** Patterns that find the subject's addresses and numbers in JSON. */
export const patternsOf = ({ emails, phones }: Subject): string[] =>
  [...emails, ...phones].map((text) => `%${text.replace(/[\\%_]/g, "\\$&")}%`);
