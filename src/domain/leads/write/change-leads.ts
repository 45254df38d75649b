import type { ChangeCount, ChangeKind } from "../../../contract/lists/changes.ts";
import { WRITABLE } from "../../../contract/lists/written-fields.ts";
import { newId } from "../../../core/id.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import { type Change, fieldsOf, made, newChange } from "../../changes/change.ts";
import { shownLead } from "../../fields/shown-lead.ts";
import type { MemberContext } from "../../operation/operation.ts";
import { OWN_TX, toldSql } from "../../sql/feed-sql.ts";
import { Parameters } from "../../sql/parameters.ts";
import { hasherFor, openingOf } from "../../suppression/hashes.ts";
import { againIfTaken } from "../identity/external-id.ts";
import { missingLead } from "../read/lead-id.ts";
import { changeEventsSql } from "./change-events.ts";
import {
  addressesIn,
  type Consent,
  consentSql,
  hashesSql,
  keepConsent,
  keptSql,
  NO_HASHES,
  toOptOut,
} from "./consent.ts";
import { effectSql, type LeadChange, type LeadOp, type MergeEvent, roomSql } from "./lead-effects.ts";
import { type Behind, sendWrite, type WriteDb } from "./send-write.ts";
import { type Addresses, NO_ADDRESSES, writeWatched } from "./shared-addresses.ts";
import { type Written, type WrittenLead, writtenLead } from "./write-outcome.ts";

const COLUMNS = [...WRITABLE.keys(), "phone_e164", "custom", "created_at", "last_activity_at"];

interface Writing {
  ahead?: readonly Statement[] | undefined;
  behind?: Behind | undefined;
  keepsOptOut?: boolean | undefined;
}

/**
 * Changes leads and writes an event for each changed field, in one statement, all or nothing. Leads are locked in
 * the order of ids and compared with their locked state, so that concurrent writers keep each other's fields and a
 * no-op writes nothing. Ids must be unique. A single lead is returned as a record. With `keepsOptOut`, a patch clears no
 * `do_not_contact`, and the outcome says where it would have. The addresses of leads that opt out are suppressed, and no longer where
 * that is cleared; a lead that gets a suppressed address opts out.
 */
export async function changeLeads(
  db: WriteDb,
  change: Change,
  op: LeadOp,
  leads: readonly LeadChange[],
  { ahead, behind, keepsOptOut = false }: Writing = {},
): Promise<Written[]> {
  if (leads.length === 0) return [];
  const comesBack = op === "restore" || op === "separate";
  const setsConsent = comesBack || leads.some(({ patch }) => patch.do_not_contact !== undefined);
  if (setsConsent && db.transaction !== undefined)
    return await db.transaction(
      (tx) => changeLeads(tx, change, op, leads, { behind, keepsOptOut }),
      "keyed",
      ahead,
    );
  const hasher = await hasherFor(db, openingOf(change), leads.map(addressesIn));
  const given = leads.map(({ version, record, ...lead }) => ({
    ...lead,
    hashes: hasher?.of(addressesIn({ ...lead, record })),
    ...(version === undefined ? {} : { version: [version].flat() }),
    events: eventIds(lead),
  }));
  const parameters = new Parameters();
  const project = parameters.text(change.by.projectId);
  const fits = "(wanted IS NULL OR (before).version = ANY (wanted))";
  const claims = comesBack || leads.some(({ patch }) => typeof patch.external_id === "string");
  const notDeleted = op === "restore" ? "" : " AND (before).deleted_at IS NULL";
  const notMerged = `(before).merged_into_id IS ${op === "separate" ? "NOT NULL" : "NULL"}`;
  const told = leads.find(({ event }) => event !== undefined)?.event?.type;
  const event = told === undefined ? "" : ", event";
  const changed = told === undefined ? CHANGED : `(${CHANGED} OR decided.event IS NOT NULL)`;
  const columns = columnsOf(op, leads, hasher !== undefined);
  const room = roomSql(op, leads);
  const optOut = keptSql(keepsOptOut, leads, hasher !== undefined);
  const hashes = hasher === undefined ? NO_HASHES : hashesSql(project);
  const isTold = comesBack ? changed : "(before).do_not_contact <> (state).do_not_contact";
  const consent = setsConsent ? consentSql(isTold) : "NULL";
  const [only, ...more] = leads;
  // PostgreSQL takes an array for ten ids, so that planning one lead anew would seem to pay each time.
  const [ids, json] =
    only === undefined || more.length > 0
      ? [`= ANY (${parameters.texts(leads.map(({ id }) => id))})`, "NULL"]
      : [`= ${parameters.text(only.id)}`, shownJson(change.by, parameters, changed)];
  const text = `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${parameters.add(JSON.stringify(given))}::jsonb)
      AS g (place integer, id text, version integer[], patch jsonb, added jsonb, events jsonb${hashes.column}${event && ", event jsonb"})
  ), ${OWN_TX}, held AS MATERIALIZED (
    SELECT id, lead AS before FROM lead
    WHERE project_id = ${project} AND id ${ids} ORDER BY id FOR NO KEY UPDATE
  ), meant AS MATERIALIZED (
    SELECT place, held.id, before, given.version AS wanted, patch, added, events${event}, ${effectSql(op, leads, columns)} AS effect${hashes.suppressed}
    FROM given JOIN held ON held.id = given.id AND ${notMerged}${notDeleted}
  ), weighed AS MATERIALIZED (
    SELECT *, ${fits} AS fits, ${room} AS room,
      ${claims ? holderSql(project, fits) : "NULL"} AS holder
    FROM (SELECT *, ${optOut.kept} AS kept, jsonb_populate_record(before, ${optOut.written}) AS after FROM meant) AS tried
  ), decided AS MATERIALIZED (
    SELECT *, CASE WHEN ${CHANGED} THEN after ELSE before END AS state FROM (
      SELECT place, id, before, after, events${event && ", CASE WHEN holder IS NULL THEN event END AS event"}, ${AFTER_ALL} AS at, (before).version + 1 AS version, ${toldSql("(before).last_tx")}, fits, room, holder, kept,
        CASE WHEN fits AND room AND holder IS NULL THEN ${changesSql(columns)} ELSE '{}' END AS changes
      FROM weighed OFFSET 0) AS compared
  ), written AS (
    UPDATE lead SET ${columns.map((column) => `${column} = (after).${column}, `).join("")}
      version = decided.version, updated_at = decided.at, last_tx = decided.tx
    FROM decided WHERE lead.project_id = ${project} AND lead.id = decided.id AND ${changed}
  ), ${changeEventsSql("decided", change, parameters, countSql(COUNTED[told ?? op] ?? "leads_updated", changed), told !== undefined)}${hashes.kept}
  SELECT given.place, given.id, ${versionSql(changed)} AS version,
    CASE WHEN decided.id IS NULL THEN 'missing' WHEN NOT fits THEN 'stale' WHEN NOT room THEN 'too_many_tags'
      WHEN holder IS NOT NULL THEN 'taken'
      WHEN ${changed} THEN 'updated' ELSE 'unchanged' END AS outcome, ${json} AS json, holder,
    fits AND room AND holder IS NULL AND kept AS "keptOptOut", ${consent} AS consent
  FROM given LEFT JOIN decided ON decided.place = given.place ORDER BY given.place`;
  const statement = { text, values: parameters.values };
  const sent = await sendWrite<Written & Consent>(db, statement, {
    single: more.length === 0,
    ahead,
    behind,
  });
  const written = sent.map(({ consent: _, ...each }) => each);
  if (!comesBack) await keepConsent(db, change, sent);
  else
    for (const again of await changeLeads(db, change, "set", await toOptOut(db, change, sent))) {
      const own = written.find(({ id }) => id === again.id);
      if (own !== undefined)
        Object.assign(own, { version: again.version, json: again.json, keptOptOut: true });
    }
  const updated = written.filter(({ outcome }) => outcome === "updated").length;
  if (updated > 0) made(change, { event: updated * Math.max(1, columns.length) });
  return written;
}

const CHANGED = "cardinality(changes) > 0";

/** How many leads were changed, by the name of what was done to them; NULL if none was. */
const countSql = (name: ChangeCount, changed: string): string =>
  `(SELECT jsonb_build_object('${name}', count(*)) FROM decided WHERE ${changed} HAVING count(*) > 0)`;

const COUNTED: Partial<Record<LeadOp | MergeEvent["type"], ChangeCount>> = {
  delete: "leads_deleted",
  restore: "leads_restored",
  "lead.merged": "leads_merged",
  "lead.unmerged": "leads_separated",
};

/**
 * The columns that an operation may change. The others are not set, so that PostgreSQL does not compute the search text
 * again.
 */
function columnsOf(op: LeadOp, leads: readonly LeadChange[], hashed: boolean): string[] {
  if (op === "delete" || op === "restore") return ["deleted_at"];
  if (op === "separate") return ["merged_into_id"];
  if (op !== "set" && op !== "fill") return ["tags"];
  const given = new Set(
    leads.flatMap(({ patch, added = {} }) => [...Object.keys(patch), ...Object.keys(added)]),
  );
  if (hashed) given.add("do_not_contact");
  return COLUMNS.filter((column) => given.has(column));
}

const versionSql = (changed: string): string => `(before).version + (${changed})::integer`;

/** A lead as the change left it. It is not read from what the UPDATE returns, which PostgreSQL would join without statistics. */
function shownJson(by: Change["by"], parameters: Parameters, changed: string): string {
  if (by.kind === "named") return "NULL";
  const updated = `CASE WHEN ${changed} THEN decided.at ELSE (before).updated_at END`;
  const shown = shownLead("(state)", by, parameters, { version: versionSql(changed), updated_at: updated });
  return `CASE WHEN decided.id IS NOT NULL THEN ${shown} END`;
}

/**
 * The lead that has the external id that a lead is about to get or to get back: another one, or an earlier one of the
 * same call.
 */
const holderSql = (project: string, fits: string): string => `CASE WHEN ${CLAIMS} THEN coalesce((
      SELECT other.id FROM lead AS other WHERE other.project_id = ${project} AND other.external_id = (after).external_id
        AND other.deleted_at IS NULL AND other.merged_into_id IS NULL AND other.id <> tried.id),
      nullif(first_value(tried.id) OVER (PARTITION BY CASE WHEN ${CLAIMS} AND ${fits} THEN 'x' || (after).external_id
        ELSE tried.id END ORDER BY place), tried.id)) END`;

const CLAIMS = `((after).external_id IS NOT NULL AND (after).deleted_at IS NULL
  AND ((before).external_id IS DISTINCT FROM (after).external_id OR (before).deleted_at IS NOT NULL OR (before).merged_into_id IS NOT NULL))`;

/** A writer that waited for another started before that one ended; its change must still be dated after the other. */
const AFTER_ALL = "greatest(moment(), (before).updated_at + interval '1 microsecond')";

/** The changed fields, as the data of their events. */
function changesSql(columns: readonly string[]): string {
  const own = columns.filter((column) => column !== "custom");
  const values = (row: string) =>
    own.map((column) => `coalesce(to_jsonb((${row}).${column}), 'null')`).join(", ");
  const fields = own.map((column) => `'${column}'`).join(", ");
  return `ARRAY(
  SELECT jsonb_build_object('field', field, 'from', from_value, 'to', to_value) FROM (
    SELECT * FROM unnest(ARRAY[${fields}]::text[], ARRAY[${values("before")}]::jsonb[], ARRAY[${values("after")}]::jsonb[])
    ${
      columns.length === own.length
        ? ""
        : `UNION ALL
    SELECT 'custom.' || key, coalesce((before).custom -> key, 'null'), coalesce((after).custom -> key, 'null')
    FROM jsonb_object_keys(patch -> 'custom') AS key`
    }
  ) AS compared (field, from_value, to_value) WHERE from_value <> to_value ORDER BY field COLLATE "C")`;
}

/** An id for each event that a patch may cause, `deleted_at` too, one for a merge's, and one for the item of untracked fields. */
const eventIds = ({
  patch: { custom = {}, ...fields },
  added = {},
  event,
}: Pick<LeadChange, "patch" | "added" | "event">): string[] => {
  const names = [fields, custom, added].reduce((sum, each) => sum + Object.keys(each).length, 0);
  return Array.from({ length: Math.max(1, names) + (event ? 2 : 1) }, () => newId("evt")).sort();
};

/** Changes one lead; throws the refusal if it was not changed. `gives` are the addresses that it gets, `reason` is why its opt-out changes. */
export async function changeLead(
  context: MemberContext,
  op: Exclude<LeadOp, "fill" | "separate">,
  { reason, ...lead }: Omit<LeadChange, "place"> & { reason?: string | undefined },
  gives: Addresses = NO_ADDRESSES,
  ahead?: readonly Statement[],
): Promise<WrittenLead> {
  const { db, caller } = context;
  const why = reason === undefined ? {} : { reason };
  const about = op === "set" ? { fields: fieldsOf([lead.patch]), ...why } : {};
  const change = newChange(context, KINDS[op], { leadId: lead.id, about });
  const written = await againIfTaken(() =>
    writeWatched(context, gives, { id: lead.id, ahead }, (db, sent) =>
      changeLeads(db, change, op, [{ place: 0, ...lead }], sent),
    ),
  );
  if (written[0]?.outcome === "missing") throw await missingLead(db, caller.projectId, lead.id);
  return writtenLead(written);
}

const KINDS: Record<Exclude<LeadOp, "fill" | "separate">, ChangeKind> = {
  set: "lead.update",
  tag_add: "lead.update",
  tag_remove: "lead.update",
  delete: "lead.delete",
  restore: "lead.restore",
};
