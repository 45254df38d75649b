import type { Transaction } from "../../db/pool/database.ts";
import { cellMatcher, type Subject, withoutMentions } from "./subject.ts";

/** Queries that may name a person: of saved views, and of exports and bulk changes that have ended. */
const QUERIES = {
  views: {
    read: "SELECT id, name, query FROM saved_view WHERE project_id = $1",
    write: `UPDATE saved_view SET name = $3, query = $4, version = version + 1, updated_at = moment() WHERE project_id = $1 AND id = $2`,
  },
  jobs: {
    read: `SELECT id, kind AS name, jsonb_build_array(input, error) AS query FROM job
      WHERE project_id = $1 AND kind IN ('export', 'bulk') AND state NOT IN ('waiting', 'running') AND input <> '{}'`,
    write: `UPDATE job SET input = $4::jsonb -> 0, error = nullif($4::jsonb -> 1, 'null') WHERE project_id = $1 AND id = $2 AND kind = $3`,
  },
} as const;

/** A saved view, or what a finished job was asked, as it names the person. */
interface Query {
  id: string;
  name: string;
  query: unknown;
}

/** Returns the saved views and finished jobs that name the person. */
export async function mentionsOf(
  db: Pick<Transaction, "query">,
  projectId: string,
  subject: Subject,
): Promise<Query[]> {
  const matches = cellMatcher(subject);
  const found: Query[] = [];
  for (const { read } of Object.values(QUERIES))
    for (const each of await db.query<Query>(read, [projectId])) if (isNamed(each, matches)) found.push(each);
  return found;
}

const isNamed = ({ name, query }: Query, matches: (cells: readonly string[]) => boolean): boolean =>
  JSON.stringify(withoutMentions({ name, query }, matches)) !== JSON.stringify({ name, query });

/** Replaces the person's identities in saved views and in what finished jobs were asked; returns how many there were. */
export async function forgetMentions(tx: Transaction, projectId: string, subject: Subject): Promise<number> {
  const matches = cellMatcher(subject);
  let count = 0;
  for (const { read, write } of Object.values(QUERIES)) {
    for (const { id, name, query } of await tx.query<Query>(read, [projectId])) {
      const left = withoutMentions({ name, query }, matches) as Query;
      if (JSON.stringify(left) === JSON.stringify({ name, query })) continue;
      await tx.query(write, [projectId, id, left.name, JSON.stringify(left.query)]);
      count += 1;
    }
  }
  return count;
}

const FIELDS = "'email', 'emails', 'phone', 'phones', 'phone_e164'";

/** Changes of other leads that once had the address or number. */
const HISTORY = `UPDATE event SET data = data || '{"from": null, "to": null, "erased": true}'
  WHERE project_id = $1 AND type = 'lead.updated' AND data ->> 'field' IN (${FIELDS})
    AND lower(concat(data -> 'from', ' ', data -> 'to')) LIKE ANY ($2::text[]) RETURNING 1`;

/** What imports would restore of such leads, and what merges of them kept. */
const UNDO = `UPDATE import_change SET before = before - ARRAY[${FIELDS}], after = after - ARRAY[${FIELDS}]
  WHERE project_id = $1 AND lower(concat(before, ' ', after)) LIKE ANY ($2::text[])`;
const MERGES = `UPDATE merge SET changes = changes - ARRAY[${FIELDS}]
  WHERE project_id = $1 AND lower(changes::text) LIKE ANY ($2::text[])`;

/** Removes the given addresses and numbers from the history of leads that no longer have them; returns the changes. */
export async function forgetHistory(
  tx: Transaction,
  projectId: string,
  patterns: readonly string[],
): Promise<number> {
  await tx.query(UNDO, [projectId, patterns]);
  await tx.query(MERGES, [projectId, patterns]);
  return (await tx.query(HISTORY, [projectId, patterns])).length;
}
