import type { Transaction } from "../../db/pool/database.ts";
import { mentionMatcher, patternsOf, type Subject, withoutMentions } from "./subject.ts";

const AT_ONCE = 200;

/** SQL: whether JSON may carry one of the addresses `$2` or numbers `$3`; what it finds is compared afterwards. */
const near = (json: string): string =>
  `(lower(${json}) LIKE ANY ($2::text[]) OR regexp_replace(${json}, '\\D', '', 'g') LIKE ANY ($3::text[]))`;

/** SQL: a page of the queries after `$5` that may name the subject. Digits of other scripts are compared afterwards. */
const pageSql = (columns: string, from: string, json: string): string =>
  `SELECT ${columns} FROM ${from} AND id > $5
    AND (${near(json)} OR ${json} LIKE ANY ($4::text[]) OR octet_length(${json}) > char_length(${json})) ORDER BY id LIMIT ${AT_ONCE}`;

/** SQL: items of views, by the index of records: ids of views begin so. */
const OF_VIEWS = "project_id = $1 AND record_id > 'view_' AND record_id < 'view_~'";

/**
 * Queries that may name a person: of saved views, of what changes keep of these, of exports, bulk changes and proposals. A
 * bulk change that has not ended needs what it writes; a proposal that names the person is not asked about any more.
 */
const QUERIES = {
  views: {
    read: pageSql("id, name, query", "saved_view WHERE project_id = $1", "concat(name, ' ', query)"),
    write: `UPDATE saved_view SET name = $3, query = $4, version = version + 1, updated_at = moment() WHERE project_id = $1 AND id = $2`,
  },
  former: {
    read: pageSql(
      "id, kind AS name, jsonb_build_array(before, after) AS query",
      `change_item WHERE ${OF_VIEWS} AND kind = 'view'`,
      "concat(before, ' ', after)",
    ),
    write: `UPDATE change_item SET before = nullif($4::jsonb -> 0, 'null'), after = nullif($4::jsonb -> 1, 'null')
      WHERE id = $2 AND kind = $3 AND ${OF_VIEWS}`,
  },
  jobs: {
    read: pageSql(
      "id, kind AS name, jsonb_build_array(input, error) AS query",
      `job WHERE project_id = $1 AND input <> '{}'
        AND (kind = 'export' OR kind = 'bulk' AND state NOT IN ('waiting', 'running'))`,
      "concat(input, ' ', error)",
    ),
    write: `UPDATE job SET input = $4::jsonb -> 0, error = nullif($4::jsonb -> 1, 'null') WHERE project_id = $1 AND id = $2 AND kind = $3`,
  },
  approvals: {
    read: pageSql(
      "id, title AS name, jsonb_build_array(input, outcome) AS query",
      "approval WHERE project_id = $1",
      "concat(title, ' ', input, ' ', outcome)",
    ),
    write: `UPDATE approval SET title = $3, input = NULL, outcome = nullif($4::jsonb -> 1, 'null'),
        state = CASE WHEN state = 'waiting' THEN 'expired' ELSE state END WHERE project_id = $1 AND id = $2`,
  },
} as const;

const NAMES = Object.keys(QUERIES) as (keyof typeof QUERIES)[];

/** A saved view, what a change keeps of one, a proposal, or what a finished job was asked, as it names the person. */
interface Query {
  id: string;
  name: string;
  query: unknown;
}

/** A query that names the subject, what it is without, and the statement that writes this. */
interface Mention {
  of: keyof typeof QUERIES;
  found: Query;
  left: Pick<Query, "name" | "query">;
  write: string;
}

async function* mentions(
  db: Pick<Transaction, "query">,
  projectId: string,
  subject: Subject,
): AsyncGenerator<Mention> {
  const matches = mentionMatcher(subject);
  const sought = [projectId, ...patternsOf(subject), subject.leads.map((id) => `%${id}%`)];
  for (const of of NAMES) {
    const { read, write } = QUERIES[of];
    let after = "";
    for (let more = true; more; ) {
      const page = await db.query<Query>(read, [...sought, after]);
      for (const found of page) {
        const { id: _, ...named } = found;
        const left = withoutMentions(named, matches) as Mention["left"];
        if (JSON.stringify(left) !== JSON.stringify(named)) yield { of, found, left, write };
      }
      after = page.at(-1)?.id ?? after;
      more = page.length === AT_ONCE;
    }
  }
}

/** Returns the saved views, former ones too, the finished jobs and the proposals that name the person. */
export async function mentionsOf(
  db: Pick<Transaction, "query">,
  projectId: string,
  subject: Subject,
): Promise<Query[]> {
  const all: Query[] = [];
  for await (const { found } of mentions(db, projectId, subject)) all.push(found);
  return all;
}

/**
 * Replaces the person's identities in saved views, in what changes keep of these, in proposals, and in what finished jobs
 * were asked, under the lock of views; returns how many views, proposals and jobs there were.
 */
export async function forgetMentions(tx: Transaction, projectId: string, subject: Subject): Promise<number> {
  let count = 0;
  for await (const { of, found, left, write } of mentions(tx, projectId, subject)) {
    await tx.query(write, [projectId, found.id, left.name, JSON.stringify(left.query)]);
    if (of !== "former") count += 1;
  }
  return count;
}

const FIELDS = "'email', 'emails', 'phone', 'phones', 'phone_e164'";

/** Changes of other leads that once had the address or number. */
const HISTORY = {
  read: `SELECT id, lead_id, occurred_at, data ->> 'field' AS field, data -> 'from' AS "from", data -> 'to' AS "to"
    FROM event WHERE project_id = $1 AND type = 'lead.updated'
    AND (data ->> 'field' IN (${FIELDS}) OR data ->> 'field' IN (
      SELECT 'custom.' || key FROM custom_field WHERE project_id = $1 AND type IN ('email', 'phone')))
    AND ${near("concat(data -> 'from', ' ', data -> 'to')")}`,
  write: `UPDATE event SET data = data || '{"from": null, "to": null, "erased": true}' WHERE project_id = $1 AND id = ANY ($2)`,
};

const part = (json: string): string =>
  `(SELECT jsonb_object_agg(key, value) FROM jsonb_each(${json}) WHERE key IN (${FIELDS}) OR key IN (
    SELECT 'custom.' || f.key FROM custom_field f WHERE f.project_id = $1 AND f.type IN ('email', 'phone')))`;

/** What imports and undos would put back of such leads, and what merges of them kept. */
const KEPT = [
  {
    read: `SELECT id, winner_id AS "leadId", jsonb_build_array(${part("changes")}) AS parts FROM merge
      WHERE project_id = $1 AND ${near("changes::text")}`,
    write:
      "UPDATE merge SET changes = changes - $4::text[] WHERE project_id = $1 AND id = $2 AND winner_id = $3",
  },
  {
    read: `SELECT id, record_id AS "leadId", jsonb_build_array(${part("before")}, ${part("after")}) AS parts FROM change_item
      WHERE project_id = $1 AND kind IN ('lead', 'hidden') AND ${near("concat(before, ' ', after)")}`,
    write: `UPDATE change_item SET before = before - $4::text[], after = after - $4::text[]
      WHERE project_id = $1 AND id = $2 AND record_id = $3`,
  },
];

/** A change of a lead that once had one of the identities. */
interface FormerChange {
  id: string;
  lead_id: string;
  occurred_at: Date;
  field: string;
  from: unknown;
  to: unknown;
}

/** What an import or a merge keeps of such a lead, to undo it: the values by field, and the statement without them. */
interface KeptChange {
  id: string;
  leadId: string;
  values: Readonly<Record<string, unknown>>[];
  write: string;
}

/** Returns what names the given addresses and numbers in the history of leads that no longer have them. */
export async function historyOf(
  db: Pick<Transaction, "query">,
  projectId: string,
  given: Subject,
): Promise<{ changes: FormerChange[]; kept: KeptChange[] }> {
  const matches = mentionMatcher(given);
  const names = (value: unknown): boolean =>
    JSON.stringify(withoutMentions(value, matches)) !== JSON.stringify(value);
  const sought = [projectId, ...patternsOf(given)];
  const kept: KeptChange[] = [];
  for (const { read, write } of KEPT) {
    const found = await db.query<Pick<KeptChange, "id" | "leadId"> & { parts: (object | null)[] }>(
      read,
      sought,
    );
    for (const { id, leadId, parts } of found) {
      const values = parts.map((part) =>
        Object.fromEntries(Object.entries(part ?? {}).filter(([, value]) => names(value))),
      );
      if (values.some((part) => Object.keys(part).length > 0)) kept.push({ id, leadId, values, write });
    }
  }
  const events = await db.query<FormerChange>(HISTORY.read, sought);
  return { changes: events.filter(({ from, to }) => names([from, to])), kept };
}

/** Removes the given addresses and numbers from the history of leads that no longer have them; returns the changes. */
export async function forgetHistory(tx: Transaction, projectId: string, given: Subject): Promise<number> {
  const { changes, kept } = await historyOf(tx, projectId, given);
  for (const { id, leadId, values, write } of kept) {
    const gone = new Set(values.flatMap((part) => Object.keys(part)));
    if (gone.has("phone")) gone.add("phone_e164");
    await tx.query(write, [projectId, id, leadId, [...gone]]);
  }
  await tx.query(HISTORY.write, [projectId, changes.map(({ id }) => id)]);
  return changes.length;
}
