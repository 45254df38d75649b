import type { RowOutcome } from "../../../contract/lists/outcomes.ts";
import { newId } from "../../../core/id.ts";
import { type Patch, sameValue, type Value } from "../../values/value.ts";
import type { RowEvent } from "../mapping/row-events.ts";
import type { Failure, ReadRow } from "../mapping/row-reader.ts";
import type { LeadIdentityMap, MappedLead } from "./lead-identity-map.ts";

/** An event to write; without `at` it is dated now. */
export interface NewEvent extends Omit<RowEvent, "at" | "key" | "title"> {
  id: string;
  leadId: string;
  title: string | null;
  at: number | null;
  key: string | null;
}

export interface Decision {
  outcome: RowOutcome;
  faults: Failure[];
  events: NewEvent[];
  /** What it changes in untracked fields, of which there are no events. */
  untold?: UntoldChange;
  /** Whether its lead was created or changed by an earlier row of the file. */
  repeats?: true;
}

/** A change of untracked fields of a lead. */
export interface UntoldChange {
  leadId: string;
  before: Record<string, Value | null>;
  after: Record<string, Value | null>;
}

/** Decides what a row does and applies it to the identity map; rows must come in the order of the file. */
export function decide(row: ReadRow, identityMap: LeadIdentityMap, untracked: ReadonlySet<string>): Decision {
  if (row.kind === "empty") return { outcome: "skipped", faults: [], events: [] };
  if (row.kind === "bad") return { outcome: "failed", faults: row.faults, events: [] };
  const found = identityMap.find(row.patch);
  if (found.length > 1) {
    const message = `${found.length} leads have this identity`;
    return {
      outcome: "failed",
      faults: [{ row: row.line, column: "", code: "ambiguous", message }],
      events: [],
    };
  }
  const lead = found[0];
  if (lead !== undefined) {
    const full = overfull(row, lead);
    if (full !== undefined) return { outcome: "failed", faults: [full], events: [] };
    const again = lead.fresh || lead.changed || lead.touched === true;
    const decision = update(lead, { ...row, patch: withMore(row, lead) }, identityMap, untracked);
    return again ? { ...decision, repeats: true } : decision;
  }
  if (row.patch.has("id")) {
    const message = "no lead has this id; to create new leads, leave out the column";
    return {
      outcome: "failed",
      faults: [{ row: row.line, column: "id", code: "unknown_lead", message }],
      events: [],
    };
  }
  const full = overfull(row);
  if (full !== undefined) return { outcome: "failed", faults: [full], events: [] };
  const fresh = identityMap.addNew(withMore(row));
  const created = row.patch.get("created_at");
  const event = changeEvent(fresh, "lead.created", "Lead created", { row: row.line });
  const dated = { ...event, at: typeof created === "string" ? Date.parse(created) : null };
  return { outcome: "created", faults: [], events: [dated, ...ownEvents(fresh, row.events)] };
}

/** Returns a row's values with its further e-mails and phones added to the lists that the row or the lead has. */
function withMore({ patch, more }: FilledRow, lead?: MappedLead): Patch {
  if (more.size === 0) return patch;
  const whole: Patch = new Map(patch);
  for (const [list, entries] of more) {
    const known = patch.get(list) ?? lead?.values.get(list);
    whole.set(list, [...new Set([...(Array.isArray(known) ? known : []), ...entries])]);
  }
  return whole;
}

/** The most entries of a list. */
const MOST_ENTRIES = 100;

/** Returns the fault of a row whose further e-mails or phones the lead's list has no room for. */
function overfull(row: FilledRow, lead?: MappedLead): Failure | undefined {
  if (row.more.size === 0) return undefined;
  const whole = withMore(row, lead);
  const list = [...row.more.keys()].find((name) => {
    const entries = whole.get(name);
    return Array.isArray(entries) && entries.length > MOST_ENTRIES;
  });
  if (list === undefined) return undefined;
  const message = `the lead's ${list} would have more than ${MOST_ENTRIES} entries`;
  return { row: row.line, column: list, code: "too_many", message };
}

type FilledRow = Extract<ReadRow, { kind: "filled" }>;

function update(
  lead: MappedLead,
  row: FilledRow,
  identityMap: LeadIdentityMap,
  untracked: ReadonlySet<string>,
): Decision {
  const changes = changesOf(lead, row.patch);
  const holder = identityMap.holderOf(row.patch.get("external_id"), lead);
  if (holder !== undefined) {
    const message = `the lead ${holder.id} has this external id`;
    return {
      outcome: "failed",
      faults: [{ row: row.line, column: "external_id", code: "external_id_taken", message }],
      events: [],
    };
  }
  if (changes.length > 0)
    identityMap.change(
      lead,
      changes.map(({ field, to }) => [field, to]),
    );
  const shown = changes.filter(({ field }) => field !== "phone_e164");
  const told = shown
    .filter(({ field }) => !untracked.has(field))
    .map(({ field, from, to }) => changeEvent(lead, "lead.updated", null, { field, from, to }));
  const quiet = shown.filter(({ field }) => untracked.has(field));
  const events = [...told, ...ownEvents(lead, row.events)];
  return {
    ...{ outcome: events.length + changes.length > 0 ? "updated" : "unchanged", faults: [], events },
    ...(quiet.length === 0 ? {} : { untold: untoldOf(lead, quiet) }),
  };
}

const untoldOf = (
  { id: leadId }: MappedLead,
  changes: readonly { field: string; from: Value | null; to: Value | null }[],
): UntoldChange => ({
  leadId,
  before: Object.fromEntries(changes.map(({ field, from }) => [field, from])),
  after: Object.fromEntries(changes.map(({ field, to }) => [field, to])),
});

/** `created_at` is set once; an e-mail that differs only in case is unchanged. */
function changesOf(
  lead: MappedLead,
  patch: Patch,
): { field: string; from: Value | null; to: Value | null }[] {
  return [...patch].flatMap(([field, to]) => {
    const from = lead.values.get(field) ?? null;
    if (field === "created_at" || field === "id" || sameValue(from, to)) return [];
    if (field === "email" && String(from).toLowerCase() === String(to).toLowerCase()) return [];
    return [{ field, from, to }];
  });
}

function ownEvents(lead: MappedLead, events: readonly RowEvent[]): NewEvent[] {
  const missing = events.filter(({ key }) => !lead.events.has(key));
  for (const { key } of missing) lead.events.add(key);
  return missing.map(({ type, title, at, data, key }) => ({
    id: newId("evt"),
    leadId: lead.id,
    type,
    title,
    at,
    data,
    key,
  }));
}

/** Returns the timeline event of a lead's change, dated now; by default its title is the changed field's. */
function changeEvent(
  lead: Pick<MappedLead, "id">,
  type: string,
  title: string | null,
  data: Record<string, unknown>,
): NewEvent {
  return { id: newId("evt"), leadId: lead.id, type, title, at: null, data: JSON.stringify(data), key: null };
}
