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

/** SQL: whether cells are linked to the person. The link column of a dataset that is gone is unknown: any cell counts. */
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

/** The oldest running transaction: all below it have ended and are visible to the statements that follow. */
const OLDEST = "SELECT feed_tx(pg_snapshot_xmin(pg_current_snapshot()))::text AS tx";

const SEARCH = `SELECT DISTINCT i.record_id AS id FROM ${ITEMS} AND (${NEAR} OR ${LINKED})`;

const COMPARED = `SELECT i.record_id AS row_id, i.before, i.after, ${LINKED} IS TRUE AS linked FROM ${ITEMS}`;

/** CASE makes PostgreSQL compare the transaction first, and read the text of newer items only. */
const FOUND = `${COMPARED} AND i.record_id = ANY ($5) AND (${NEAR} OR ${LINKED})
  UNION ALL ${COMPARED} AND CASE WHEN i.tx >= $6::xid8 THEN ${NEAR} OR ${LINKED} END`;

const OF_ROWS = `SELECT i.change_id, (SELECT about ->> 'import_id' FROM change c WHERE c.project_id = $1 AND c.id = i.change_id) AS import_id,
    i.record_id AS row_id, i.dataset_id, i.before, i.after
  FROM change_item i WHERE i.project_id = $1 AND i.kind = 'row' AND i.record_id = ANY ($2) ORDER BY i.id`;

const FORGET = "DELETE FROM change_item WHERE project_id = $1 AND kind = 'row' AND record_id = ANY ($2)";

/** What a search of all that changes keep of rows has found. */
export interface SearchedRows {
  /** Rows that may be the person's. */
  ids: readonly string[];
  /** The first transaction whose items the search may have missed. */
  from: string;
}

/** Searches all that changes keep of rows, which may take minutes: writers must not wait for it. */
export async function searchChanges(
  tx: Transaction,
  projectId: string,
  sought: Sought,
): Promise<SearchedRows> {
  await tx.allow(600_000);
  const [oldest] = await tx.query<{ tx: string }>(OLDEST);
  const found = await tx.query<{ id: string }>(SEARCH, [projectId, ...valuesOf(sought)]);
  return { ids: found.map(({ id }) => id), from: oldest?.tx ?? "0" };
}

const valuesOf = ({ links, named }: Sought) => [JSON.stringify(links), ...patternsOf(named)];

/**
 * Returns the ids of the rows that are linked to the person, or name it, in something that a change keeps. Reads what a
 * search for at least as much has found, and what is newer.
 */
export async function rowsInChanges(
  db: Pick<Transaction, "query">,
  projectId: string,
  sought: Sought,
  { ids, from }: SearchedRows,
): Promise<string[]> {
  const matches = mentionMatcher(sought.named);
  const isNamed = (cells: unknown): boolean =>
    JSON.stringify(withoutMentions(cells, matches)) !== JSON.stringify(cells);
  const found = await db.query<Pick<KeptRow, "row_id" | "before" | "after"> & { linked: boolean }>(FOUND, [
    ...[projectId, ...valuesOf(sought), ids, from],
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
