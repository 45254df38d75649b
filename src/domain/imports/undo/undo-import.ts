import type { Actor } from "../../../contract/nouns/basics/actor.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { JobTaken, type RunningJob } from "../../jobs/job.ts";
import { againIfTaken, holdersOf } from "../../leads/identity/external-id.ts";
import { lockAllIdentities } from "../../leads/identity/identity-locks.ts";
import { actorOf } from "../../operation/actor.ts";
import { sameValue, type Value } from "../../values/value.ts";
import { changeEvent, type NewEvent } from "../run/decide.ts";
import { valuesOf } from "../run/find-leads.ts";
import type { MappedLead } from "../run/lead-identity-map.ts";
import { columnsOf } from "../run/lead-identity-map.ts";
import { encodeEvents, writeEvents } from "../run/write-events.ts";
import { writeLeads } from "../run/write-leads.ts";

const BATCH = 500;

type Values = Record<string, Value | null>;

interface Change {
  lead_id: string;
  before: Values;
  after: Values;
}

/** Leads that the import changed but did not create, and that the undo has not reached. */
const CHANGES = `SELECT c.lead_id, c.before, c.after FROM import_change c
  LEFT JOIN lead l ON l.project_id = $1 AND l.id = c.lead_id
  WHERE c.project_id = $1 AND c.import_id = $2 AND NOT c.undone AND c.kept IS NULL AND l.import_id IS DISTINCT FROM $2
  ORDER BY c.lead_id LIMIT ${BATCH}`;

const SETTLE = `UPDATE import_change c SET undone = g.kept IS NULL, kept = g.kept
  FROM jsonb_to_recordset($3::jsonb) AS g (lead_id text, kept jsonb)
  WHERE c.project_id = $1 AND c.import_id = $2 AND c.lead_id = g.lead_id`;

/** Leads that the import created, with the reason if they changed since. Version 0 is of an undo that was interrupted. */
const MADE = `SELECT l.id, CASE
    WHEN l.merged_into_id IS NOT NULL THEN 'merged'
    WHEN l.version <> coalesce(nullif(c.version, 0), 1) THEN 'changed'
    WHEN EXISTS (SELECT FROM event e WHERE e.project_id = $1 AND e.lead_id = l.id AND e.source IS DISTINCT FROM 'import')
      THEN 'has_events' END AS reason
  FROM lead l LEFT JOIN import_change c ON c.project_id = $1 AND c.import_id = $2 AND c.lead_id = l.id
  WHERE l.project_id = $1 AND l.import_id = $2 AND l.id > $3 AND l.deleted_at IS NULL
  ORDER BY l.id LIMIT ${BATCH} FOR NO KEY UPDATE OF l`;

const DELETE = `UPDATE lead SET deleted_at = moment(), version = version + 1, updated_at = moment()
  WHERE project_id = $1 AND id = ANY ($2)`;

const KEEP = `INSERT INTO import_change (project_id, import_id, lead_id, version, kept)
  SELECT $1, $2, lead_id, 0, jsonb_build_object('reason', reason, 'fields', '[]'::jsonb)
  FROM jsonb_to_recordset($3::jsonb) AS g (lead_id text, reason text)
  ON CONFLICT (project_id, import_id, lead_id) DO UPDATE SET kept = EXCLUDED.kept`;

const COUNT = `UPDATE import SET undo = jsonb_build_object(
    'deleted', coalesce((undo -> 'deleted')::integer, 0) + $3, 'restored', coalesce((undo -> 'restored')::integer, 0) + $4,
    'left', (SELECT count(*) FROM import_change WHERE project_id = $1 AND import_id = $2 AND kept IS NOT NULL))
  WHERE project_id = $1 AND id = $2 AND state = 'undoing' RETURNING id`;

const UNDO = "SELECT undo FROM import WHERE project_id = $1 AND id = $2 AND state = 'undoing'";

/**
 * Undoes an import in batches: created leads are deleted, then changed leads get their old values. Leads and fields
 * edited since stay and are listed, and so does an external id whose former one another lead has by now. After a crash it resumes where it stopped.
 */
export async function undoImport(job: RunningJob, id: string): Promise<Record<string, unknown>> {
  const { db, ref, caller, signal } = job;
  const actor = await actorOf(db, caller);
  const go = () => {
    if (signal.aborted) throw signal.reason as Error;
  };
  let last: string | undefined = "";
  while (last !== undefined) {
    go();
    const after: string = last;
    last = await againIfTaken(() => db.transaction((tx) => deleteBatch(tx, ref.projectId, id, actor, after)));
  }
  let more = true;
  while (more) {
    go();
    more = await againIfTaken(() => db.transaction((tx) => restoreBatch(tx, ref.projectId, id, actor)));
  }
  const [done] = await db.query<{ undo: Record<string, unknown> }>(UNDO, [ref.projectId, id]);
  if (done === undefined) throw new JobTaken("the undo is not this run's any more");
  return done.undo;
}

async function restoreBatch(tx: Transaction, projectId: string, id: string, actor: Actor): Promise<boolean> {
  await lockAllIdentities(tx, projectId);
  const changes = await tx.query<Change>(CHANGES, [projectId, id]);
  const fields = [...new Set(changes.flatMap(({ before }) => Object.keys(before)))];
  const columns = columnsOf(fields);
  const rows = await tx.query<Record<string, unknown> & { id: string }>(
    `SELECT id, ${columns.join(", ")} FROM lead WHERE project_id = $1 AND id = ANY ($2)
       AND deleted_at IS NULL AND merged_into_id IS NULL ORDER BY id FOR NO KEY UPDATE`,
    [projectId, changes.map((change) => change.lead_id)],
  );
  const externalIds = changes.flatMap(({ before: { external_id: external } }) =>
    typeof external === "string" ? [external] : [],
  );
  const holders = await holdersOf(tx, projectId, externalIds);
  const stored = new Map(rows.map((row) => [row.id, valuesOf(row, columns)]));
  const free = freeIds(changes, stored, holders);
  const leads: MappedLead[] = [];
  const events: NewEvent[] = [];
  const settled = changes.map((change) => {
    const values = stored.get(change.lead_id);
    if (values === undefined) return { lead_id: change.lead_id, kept: { reason: "gone", fields: [] } };
    const left: string[] = [];
    const before = new Map<string, Value | null>();
    for (const [field, from] of Object.entries(change.before)) {
      const now = values.get(field) ?? null;
      const isOthers = field === "external_id" && !free.has(change.lead_id);
      if (isOthers || !sameValue(now, change.after[field] ?? null)) left.push(field);
      else if (!sameValue(now, from)) {
        before.set(field, now);
        values.set(field, from);
        if (field !== "phone_e164")
          events.push(
            changeEvent({ id: change.lead_id }, "lead.updated", null, {
              field,
              from: now,
              to: from,
            }),
          );
      }
    }
    leads.push({
      id: change.lead_id,
      fresh: false,
      changed: before.size > 0,
      values,
      before,
      events: new Set(),
    });
    return { lead_id: change.lead_id, kept: left.length > 0 ? { reason: "changed", fields: left } : null };
  });
  await writeLeads(tx, { projectId, statuses: [] }, null, fields, leads);
  await writeEvents(tx, projectId, actor, await encodeEvents(events));
  await tx.query(SETTLE, [projectId, id, JSON.stringify(settled)]);
  await counted(tx, [projectId, id, 0, leads.filter((lead) => lead.changed).length]);
  return changes.length === BATCH;
}

/**
 * Returns the leads that can get their former external ids: nobody else has them, or only leads of the batch that
 * give them up. Of two with the same former id, the first gets it.
 */
function freeIds(
  changes: readonly Change[],
  stored: ReadonlyMap<string, ReadonlyMap<string, Value | null>>,
  holders: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const given = new Map<string, Value | null>();
  const claimed = new Set<Value>();
  for (const { lead_id: lead, before, after } of changes) {
    const now = stored.get(lead)?.get("external_id") ?? null;
    const { external_id: former } = before;
    if (former === undefined || !sameValue(now, after.external_id ?? null)) continue;
    if (former !== null && claimed.has(former)) continue;
    given.set(lead, former);
    if (former !== null) claimed.add(former);
  }
  for (let size = -1; size !== given.size; ) {
    size = given.size;
    for (const [lead, former] of given) {
      const holder = typeof former === "string" ? holders.get(former) : undefined;
      if (holder !== undefined && holder !== lead && !given.has(holder)) given.delete(lead);
    }
  }
  return new Set(given.keys());
}

async function deleteBatch(
  tx: Transaction,
  projectId: string,
  id: string,
  actor: Actor,
  after: string,
): Promise<string | undefined> {
  const made = await tx.query<{ id: string; reason: string | null }>(MADE, [projectId, id, after]);
  const gone = made.filter(({ reason }) => reason === null).map((lead) => lead.id);
  const kept = made.flatMap((lead) =>
    lead.reason === null ? [] : [{ lead_id: lead.id, reason: lead.reason }],
  );
  await tx.query(DELETE, [projectId, gone]);
  const events = gone.map((lead) =>
    changeEvent({ id: lead }, "lead.deleted", "Lead deleted", {
      field: "deleted_at",
      from: null,
      to: "import undone",
    }),
  );
  await writeEvents(tx, projectId, actor, await encodeEvents(events));
  await tx.query(KEEP, [projectId, id, JSON.stringify(kept)]);
  await counted(tx, [projectId, id, gone.length, 0]);
  return made.length === BATCH ? made.at(-1)?.id : undefined;
}

async function counted(tx: Transaction, values: readonly unknown[]): Promise<void> {
  if ((await tx.query(COUNT, values)).length === 0) throw new JobTaken("the undo is not this run's any more");
}
