import type { Match } from "../../contract/lists/datasets.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { mentionMatcher, patternsOf, type Subject, withoutMentions } from "./subject.ts";

/** SQL: whether the rows of the dataset `d` belong to the people they are linked to. */
export const PERSONAL = `(d.lead_link IS NOT NULL AND d.lead_link ->> 'personal' IS DISTINCT FROM 'false')`;

/** The values of link columns that mean the person. */
export type Links = Readonly<Record<Match, readonly string[]>>;

/** By what rows that changes keep are found: as links, and as text in any cell. */
export interface Sought {
  links: Links;
  named: Subject;
}

/** What a change keeps to undo a row: its cells by their place in the dataset. */
export interface KeptRow {
  change_id: string;
  /** The import that the change is, if it is one. */
  import_id: string | null;
  row_id: string;
  dataset_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** SQL: whether cells are linked to the person. How rows of a dataset that is gone were linked is not known any more: any cell counts. */
const linked = (cells: string): string => {
  const match = "(d.lead_link ->> 'match')";
  const value = `(${cells} ->> (d.lead_link ->> 'slot'))`;
  return `($2::jsonb -> ${match} ? CASE ${match} WHEN 'email' THEN lower(${value}) ELSE ${value} END
    OR d.id IS NULL AND EXISTS (SELECT FROM jsonb_each_text(${cells})
      WHERE ($2::jsonb -> 'external_id') || ($2::jsonb -> 'lead_id') ? value))`;
};

const LINKED = `(${linked("i.before")} OR ${linked("i.after")})`;

/** SQL: whether cells may name the person; what it finds is compared afterwards. */
const NEAR = `(lower(concat(i.before, ' ', i.after)) LIKE ANY ($3::text[])
  OR cardinality($4::text[]) > 0 AND regexp_replace(concat(i.before, ' ', i.after), '\\D', '', 'g') LIKE ANY ($4::text[]))`;

/** What changes keep of rows of personal datasets, and of datasets that are gone. */
const ITEMS = `change_item i LEFT JOIN dataset d ON d.project_id = $1 AND d.id = i.dataset_id
  WHERE i.project_id = $1 AND i.kind = 'row' AND (d.id IS NULL OR ${PERSONAL})`;

const FOUND = `SELECT i.record_id AS row_id, i.before, i.after, ${LINKED} IS TRUE AS linked FROM ${ITEMS} AND (${NEAR} OR ${LINKED})`;

const OF_ROWS = `SELECT i.change_id, (SELECT about ->> 'import_id' FROM change c WHERE c.project_id = $1 AND c.id = i.change_id) AS import_id,
    i.record_id AS row_id, i.dataset_id, i.before, i.after
  FROM change_item i WHERE i.project_id = $1 AND i.kind = 'row' AND i.record_id = ANY ($2) ORDER BY i.id`;

const FORGET = "DELETE FROM change_item WHERE project_id = $1 AND kind = 'row' AND record_id = ANY ($2)";

/** Returns the ids of the rows that are linked to the person, or name it, in something that a change keeps. */
export async function rowsInChanges(
  db: Pick<Transaction, "query">,
  projectId: string,
  { links, named }: Sought,
): Promise<string[]> {
  const matches = mentionMatcher(named);
  const isNamed = (cells: unknown): boolean =>
    JSON.stringify(withoutMentions(cells, matches)) !== JSON.stringify(cells);
  const found = await db.query<Pick<KeptRow, "row_id" | "before" | "after"> & { linked: boolean }>(FOUND, [
    ...[projectId, JSON.stringify(links), ...patternsOf(named)],
  ]);
  const own = found.filter(({ linked, before, after }) => linked || isNamed([before, after]));
  return [...new Set(own.map((each) => each.row_id))];
}

/** Returns all that changes keep of these rows: what does not name the person is about it all the same. */
export const keptOfRows = async (
  db: Pick<Transaction, "query">,
  projectId: string,
  ids: readonly string[],
): Promise<KeptRow[]> => (ids.length === 0 ? [] : await db.query<KeptRow>(OF_ROWS, [projectId, ids]));

/** Deletes all that changes keep of these rows. */
export async function forgetInChanges(
  tx: Transaction,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await tx.query(FORGET, [projectId, ids]);
}
