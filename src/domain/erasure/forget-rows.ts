import type { Transaction } from "../../db/pool/database.ts";
import type { Link } from "../fields/link.ts";
import {
  forgetInChanges,
  type Links,
  PERSONAL,
  rowsInChanges,
  type SearchedRows,
} from "./rows-in-changes.ts";
import type { Subject } from "./subject.ts";

const DATASETS = `SELECT d.id, d.key, d.deleted_at IS NOT NULL AS deleted, d.lead_link FROM dataset d
  WHERE d.project_id = $1 AND ${PERSONAL} ORDER BY d.id`;

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

/** The values of link columns that mean the person. */
export const linksOf = ({ emails, phones, externals, leads }: Subject): Links => ({
  ...{ email: emails, phone: phones },
  ...{ external_id: externals, lead_id: leads },
});

const without = (values: string, identity: string): string =>
  `ARRAY(SELECT link FROM unnest(${values}::text[]) AS given (link) WHERE NOT EXISTS (
    SELECT FROM lead l WHERE l.project_id = $1 AND ${identity} = given.link))`;

const OWN = `SELECT ${without("$2", "lower(l.email)")} AS email, ${without("$3", "l.phone_e164")} AS phone,
  ${without("$4", "l.external_id")} AS external_id, ${without("$5", "l.id")} AS lead_id`;

/** Leaves out what links to a lead that is left: such a row belongs to that lead, too. */
async function ownLinks(tx: Transaction, projectId: string, links: Links): Promise<Links> {
  const { email, phone, external_id: external, lead_id: lead } = links;
  const [own] = await tx.query<Links>(OWN, [projectId, email, phone, external, lead]);
  return own ?? links;
}

/**
 * Deletes the rows of personal datasets that are linked to the person and to no lead that is left, with all that
 * changes keep of them, of rows that once were, and of rows that name `named`. Changes were searched for the subject
 * before the datasets were locked. Returns how many rows there still were. The leads must be gone.
 */
export async function forgetRows(
  tx: Transaction,
  projectId: string,
  datasets: readonly PersonalDataset[],
  { subject, named, searched }: { subject: Subject; named: Subject; searched: SearchedRows },
): Promise<number> {
  const links = await ownLinks(tx, projectId, linksOf(subject));
  const all: string[] = [];
  for (const { id, lead_link: link } of datasets) {
    const column = `r.link${link.side === 1 ? 1 : 0}`;
    const gone = await tx.query<{ id: string }>(
      `DELETE FROM dataset_row r WHERE r.project_id = $1 AND r.dataset_id = $2 AND ${column} = ANY ($3::text[]) RETURNING r.id`,
      [projectId, id, links[link.match]],
    );
    all.push(...gone.map((row) => row.id));
    if (gone.length > 0)
      await tx.query("UPDATE dataset SET change_faults = NULL WHERE project_id = $1 AND id = $2", [
        projectId,
        id,
      ]);
  }
  const former = await rowsInChanges(tx, projectId, { links, named }, searched);
  await forgetInChanges(tx, projectId, [...all, ...former]);
  return all.length;
}
