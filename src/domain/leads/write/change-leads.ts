import type { ChangeCount, ChangeKind } from "../../../contract/lists/changes.ts";
import { WRITABLE } from "../../../contract/lists/written-fields.ts";
import { newId } from "../../../core/id.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import { type Change, fieldsOf, newChange } from "../../changes/change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { shownLead } from "../../fields/shown-lead.ts";
import type { MemberContext } from "../../operation/operation.ts";
import { Parameters } from "../../sql/parameters.ts";
import type { Version } from "../../values/version.ts";
import { againIfTaken } from "../identity/external-id.ts";
import { missingLead } from "../read/lead-id.ts";
import { changeEventsSql } from "./change-events.ts";
import { type Behind, sendWrite, type WriteDb } from "./send-write.ts";
import { type Addresses, NO_ADDRESSES, writeWatched } from "./shared-addresses.ts";
import { MOST_TAGS, type Written, type WrittenLead, writtenLead } from "./write-outcome.ts";

/** What is done to leads: `fill` sets only what is empty, `separate` takes a lead out of the one that it was merged into. */
export type LeadOp = "set" | "fill" | "tag_add" | "tag_remove" | "delete" | "restore" | "separate";

/** Entries to add to lists of a lead. */
export type Added = Partial<Record<"emails" | "phones", readonly string[]>>;

/** A lead to change; with a `version`, only if that is its current one, or one of several. */
export interface LeadChange {
  place: number;
  id: string;
  version?: Version | undefined;
  patch: LeadPatch;
  added?: Added | undefined;
  /** Told after the changed fields, which may be none: the merge, or its undo, by which the lead is changed. */
  event?: MergeEvent;
}

interface MergeEvent {
  type: "lead.merged" | "lead.unmerged";
  title: string;
  data: Record<string, unknown>;
}

const COLUMNS = [...WRITABLE.keys(), "phone_e164", "custom", "created_at", "last_activity_at"];

const SET = `CASE WHEN patch ? 'custom' THEN patch || jsonb_build_object('custom',
    jsonb_strip_nulls((before).custom || (patch -> 'custom'))) ELSE patch END`;

/** What each operation sets on a lead, computed from its locked state (`before`). */
const EFFECTS: Record<Exclude<LeadOp, "set" | "fill">, string> = {
  tag_add: `jsonb_build_object('tags', (before).tags || ARRAY(
    SELECT tag FROM jsonb_array_elements_text(patch -> 'tags') WITH ORDINALITY AS given_tag (tag, n)
    WHERE tag <> ALL ((before).tags) ORDER BY n))`,
  tag_remove: `jsonb_build_object('tags', ARRAY(
    SELECT tag FROM unnest((before).tags) WITH ORDINALITY AS own_tag (tag, n)
    WHERE NOT patch -> 'tags' ? tag ORDER BY n))`,
  delete: "jsonb_build_object('deleted_at', moment())",
  restore: "jsonb_build_object('deleted_at', NULL)",
  separate: "jsonb_build_object('merged_into_id', NULL)",
};

/** The lists that get entries which they do not have yet. */
const ADDED = `(SELECT jsonb_object_agg(list, known || (
    SELECT coalesce(jsonb_agg(item ORDER BY n), '[]') FROM jsonb_array_elements(more) WITH ORDINALITY AS each (item, n) WHERE NOT known @> item))
  FROM jsonb_each(added) AS lists (list, more),
    LATERAL (SELECT coalesce(patch -> list, to_jsonb(CASE list WHEN 'emails' THEN (before).emails ELSE (before).phones END)) AS known) AS own)`;

/** What is empty of what a patch sets: a number in E.164 follows the number itself, and a custom field that is there is not empty. */
const fillSql = (columns: readonly string[]): string => `(SELECT coalesce(jsonb_object_agg(key, value), '{}')
      FROM jsonb_each(patch - 'custom'), (SELECT jsonb_build_object(${columns.map((column) => `'${column}', (before).${column}`).join(", ")}) AS own) AS present
      WHERE own -> CASE key WHEN 'phone_e164' THEN 'phone' ELSE key END IN ('null', '[]', '""'))
    || CASE WHEN patch ? 'custom' THEN jsonb_build_object('custom', jsonb_strip_nulls(patch -> 'custom') || (before).custom) ELSE '{}' END`;

function effectSql(op: LeadOp, leads: readonly LeadChange[], columns: readonly string[]): string {
  if (op === "fill") return fillSql(columns);
  if (op !== "set") return EFFECTS[op];
  return leads.some(({ added }) => added !== undefined) ? `${SET} || coalesce(${ADDED}, '{}')` : SET;
}

/** Whether a list that gets entries has room for them. */
function roomSql(op: LeadOp, leads: readonly LeadChange[]): string {
  if (op === "tag_add") return `cardinality((after).tags) <= ${MOST_TAGS}`;
  return leads.some(({ added }) => added !== undefined)
    ? `(added IS NULL OR greatest(cardinality((after).emails), cardinality((after).phones)) <= ${MOST_TAGS})`
    : "true";
}

/**
 * Changes leads and writes an event for each changed field, in one statement, all or nothing. Leads are locked in
 * the order of ids and compared with their locked state, so that concurrent writers keep each other's fields and a
 * no-op writes nothing. Ids must be unique. A single lead is returned as a record.
 */
export async function changeLeads(
  db: WriteDb,
  change: Change,
  op: LeadOp,
  leads: readonly LeadChange[],
  { ahead, behind }: { ahead?: readonly Statement[] | undefined; behind?: Behind | undefined } = {},
): Promise<Written[]> {
  if (leads.length === 0) return [];
  const given = leads.map(({ version, ...lead }) => ({
    ...lead,
    ...(version === undefined ? {} : { version: [version].flat() }),
    events: eventIds(lead),
  }));
  const parameters = new Parameters();
  const project = parameters.text(change.by.projectId);
  const fits = "(wanted IS NULL OR (before).version = ANY (wanted))";
  const comesBack = op === "restore" || op === "separate";
  const claims = comesBack || leads.some(({ patch }) => typeof patch.external_id === "string");
  const notDeleted = op === "restore" ? "" : " AND (before).deleted_at IS NULL";
  const notMerged = `(before).merged_into_id IS ${op === "separate" ? "NOT NULL" : "NULL"}`;
  const told = leads.find(({ event }) => event !== undefined)?.event?.type;
  const event = told === undefined ? "" : ", event";
  const changed = told === undefined ? CHANGED : `(${CHANGED} OR decided.event IS NOT NULL)`;
  const columns = columnsOf(op, leads);
  const room = roomSql(op, leads);
  const [only, ...more] = leads;
  // PostgreSQL takes an array for ten ids, so that planning one lead anew would seem to pay each time.
  const [ids, json] =
    only === undefined || more.length > 0
      ? [`= ANY (${parameters.texts(leads.map(({ id }) => id))})`, "NULL"]
      : [`= ${parameters.text(only.id)}`, shownJson(change.by, parameters, changed)];
  const text = `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${parameters.add(JSON.stringify(given))}::jsonb)
      AS g (place integer, id text, version integer[], patch jsonb, added jsonb, events jsonb${event && ", event jsonb"})
  ), held AS MATERIALIZED (
    SELECT id, lead AS before FROM lead
    WHERE project_id = ${project} AND id ${ids} ORDER BY id FOR NO KEY UPDATE
  ), meant AS MATERIALIZED (
    SELECT place, held.id, before, given.version AS wanted, patch, added, events${event}, ${effectSql(op, leads, columns)} AS effect
    FROM given JOIN held ON held.id = given.id AND ${notMerged}${notDeleted}
  ), weighed AS MATERIALIZED (
    SELECT *, ${fits} AS fits, ${room} AS room,
      ${claims ? holderSql(project, fits) : "NULL"} AS holder
    FROM (SELECT *, jsonb_populate_record(before, effect) AS after FROM meant) AS tried
  ), decided AS MATERIALIZED (
    SELECT *, CASE WHEN ${CHANGED} THEN after ELSE before END AS state FROM (
      SELECT place, id, before, after, events${event && ", CASE WHEN holder IS NULL THEN event END AS event"}, ${AFTER_ALL} AS at, fits, room, holder,
        CASE WHEN fits AND room AND holder IS NULL THEN ${changesSql(columns)} ELSE '{}' END AS changes
      FROM weighed OFFSET 0) AS compared
  ), written AS (
    UPDATE lead SET ${columns.map((column) => `${column} = (after).${column}, `).join("")}
      version = (before).version + 1, updated_at = decided.at
    FROM decided WHERE lead.project_id = ${project} AND lead.id = decided.id AND ${changed}
  ), ${changeEventsSql("decided", change, parameters, countSql(COUNTED[told ?? op] ?? "leads_updated", changed), told !== undefined)}
  SELECT given.place, given.id, ${versionSql(changed)} AS version,
    CASE WHEN decided.id IS NULL THEN 'missing' WHEN NOT fits THEN 'stale' WHEN NOT room THEN 'too_many_tags'
      WHEN holder IS NOT NULL THEN 'taken'
      WHEN ${changed} THEN 'updated' ELSE 'unchanged' END AS outcome, ${json} AS json, holder
  FROM given LEFT JOIN decided ON decided.place = given.place ORDER BY given.place`;
  const statement = { text, values: parameters.values };
  const written = await sendWrite<Written>(db, statement, { single: more.length === 0, ahead, behind });
  if (written.some(({ outcome }) => outcome === "updated")) change.made = true;
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
function columnsOf(op: LeadOp, leads: readonly LeadChange[]): string[] {
  if (op === "delete" || op === "restore") return ["deleted_at"];
  if (op === "separate") return ["merged_into_id"];
  if (op !== "set" && op !== "fill") return ["tags"];
  const given = new Set(
    leads.flatMap(({ patch, added = {} }) => [...Object.keys(patch), ...Object.keys(added)]),
  );
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

/** Changes one lead; throws the refusal if it was not changed. `gives` are the addresses that it gets. */
export async function changeLead(
  context: MemberContext,
  op: Exclude<LeadOp, "fill" | "separate">,
  lead: Omit<LeadChange, "place">,
  gives: Addresses = NO_ADDRESSES,
  ahead?: readonly Statement[],
): Promise<WrittenLead> {
  const { db, caller } = context;
  const about = op === "set" ? { fields: fieldsOf([lead.patch]) } : {};
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
