import type { RowMode } from "../../../contract/lists/datasets.ts";
import type { RowOutcome } from "../../../contract/lists/outcomes.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { type LeadPatch, patchOf } from "../../fields/lead-input.ts";
import { type Identifier, identifiersOf } from "../../leads/identity/identifiers.ts";
import { lockAllIdentities } from "../../leads/identity/identity-locks.ts";
import { readHolders } from "../../leads/identity/look-for.ts";
import type { Unwritten, Upsert } from "../../leads/write/plan-upserts.ts";
import { messageOf } from "../../leads/write/unwritten.ts";
import { isUnwritten, upsertLeads } from "../../leads/write/upsert-leads.ts";
import type { Written } from "../../leads/write/write-outcome.ts";
import { may } from "../../operation/may-sql.ts";
import type { RowEvent } from "../mapping/row-events.ts";
import type { Failure, ReadRow } from "../mapping/row-reader.ts";
import type { BatchContext, Placed } from "./batch-context.ts";
import { count, type FailedRow, noCounts } from "./import-report.ts";
import { newEventsOf, type Remembered, writeEvents } from "./write-events.ts";

/** Also the leads that a batch wrote, and the keys of the events that it added to each. */
interface PlacedLeads extends Placed {
  leads: Remembered;
}

type FilledRow = Extract<ReadRow, { kind: "filled" }>;

/**
 * Writes the leads of a batch's rows and their events, without counting. One batch of a project runs at a time, so that two imports of a person
 * create one lead. Sequential scans are off because the planner assumes that a table that was never analyzed is empty. Async
 * commit is safe: a crash loses a batch with its checkpoint, and the end of the import waits for all.
 */
export async function placeLeads(
  tx: Transaction,
  context: BatchContext,
  rows: readonly ReadRow[],
  remembered: Remembered = new Map(),
): Promise<PlacedLeads> {
  const { target, importId, actor, change, limitMs, readNext } = context;
  const { projectId, country, fill, mode, keepsOptOut } = target;
  await tx.allow(limitMs, { enable_seqscan: "off", synchronous_commit: "off" });
  await lockAllIdentities(tx, projectId);
  const upserts = rows.flatMap((row, place) =>
    row.kind === "filled" ? [upsertOf(row, place, importId, country)] : [],
  );
  const known = await readHolders(
    tx,
    projectId,
    upserts.flatMap(({ identifiers }) => identifiers),
    country,
  );
  const [done] = await Promise.all([
    upsertLeads(tx, change, upserts, { fill, mode, keepsOptOut, country, known }),
    (async () => readNext?.())(),
  ]);
  const written = new Map(done.map((each) => [each.place, each]));
  const isTold = done.some((each) => isUnwritten(each) || each.outcome === "taken");
  const mayRead = isTold && (await mayTell(tx, change));
  const events = await newEventsOf(tx, projectId, eventsOf(rows, written, mode), remembered);
  await writeEvents(tx, change, actor, events);
  const added = new Map(events.map(({ place, leadId, key }) => [place, { leadId, key }]));
  const leads = new Map<string, Set<string>>();
  for (const { leadId, key } of events) keysOf(leads, leadId).add(key);
  const placed = { counts: noCounts(), failed: [] as FailedRow[], repeated: 0 };
  rows.forEach((row, place) => {
    const each = written.get(place);
    const { outcome, faults } = outcomeOf(row, each, added.has(place), context, mayRead);
    count(placed.counts, outcome);
    if (outcome === "failed")
      placed.failed.push({ number: row.number, row: row.line, cells: row.cells, faults });
    if (
      row.kind !== "filled" ||
      each === undefined ||
      isUnwritten(each) ||
      outcome === "failed" ||
      outcome === "skipped"
    )
      return;
    if (row.patch.get("do_not_contact") === true) placed.counts.opted_out += 1;
    if (each.keptOptOut === true) placed.counts.opt_outs_kept += 1;
    if (outcome !== "created" && (leads.has(each.id) || remembered.has(each.id))) placed.repeated += 1;
    if (outcome !== "unchanged") keysOf(leads, each.id);
  });
  return { ...placed, leads };
}

function keysOf(leads: Map<string, Set<string>>, id: string): Set<string> {
  const known = leads.get(id) ?? new Set<string>();
  leads.set(id, known);
  return known;
}

/** A row as the writer of leads takes it. */
function upsertOf(row: FilledRow, place: number, importId: string, country: string | null): Upsert {
  const patch = patchOf(row.patch);
  const identifiers = identifiersOfRow(row, patch, country);
  delete patch.id;
  const added = row.more.size === 0 ? undefined : Object.fromEntries(row.more);
  return {
    place,
    patch,
    identifiers,
    added,
    from: { importId, row: row.line },
  };
}

/** What rows give to find their leads by. */
export const identifiersOfRows = (rows: readonly ReadRow[], country: string | null): Identifier[] =>
  rows.flatMap((row) => (row.kind === "filled" ? identifiersOfRow(row, patchOf(row.patch), country) : []));

function identifiersOfRow({ more }: FilledRow, patch: LeadPatch, country: string | null): Identifier[] {
  const lists = [...more].map(([list, entries]): [string, string[]] => {
    const own = patch[list];
    return [list, [...(Array.isArray(own) ? own : []), ...entries]];
  });
  const whole = lists.length === 0 ? patch : { ...patch, ...Object.fromEntries(lists) };
  return identifiersOf(whole, country, typeof patch.id === "string" ? patch.id : undefined);
}

/** The events of rows whose leads were written. */
function eventsOf(
  rows: readonly ReadRow[],
  written: ReadonlyMap<number, Written | Unwritten>,
  mode: RowMode,
) {
  return rows.flatMap((row, place) => {
    const done = written.get(place);
    if (row.kind !== "filled" || done === undefined || isUnwritten(done) || !isDone(done)) return [];
    const { id: leadId, outcome } = done;
    // Of a lead that only new ones may be, nothing but an opt-out was written.
    const events = mode === "insert" && outcome !== "created" ? row.events.filter(isOfConsent) : row.events;
    return events.map((event) => ({ ...event, place, leadId, isNew: outcome === "created" }));
  });
}

const isOfConsent = ({ type }: RowEvent): boolean => type.startsWith("consent.");

const isDone = ({ outcome }: Written): boolean =>
  outcome === "created" || outcome === "updated" || outcome === "unchanged";

/** Whether the messages of failed rows may name leads. */
const mayTell = async (tx: Transaction, { by }: Change): Promise<boolean> =>
  by.kind === "named" || (await may(tx, by, "leads:read"));

function outcomeOf(
  row: ReadRow,
  done: Written | Unwritten | undefined,
  hasEvents: boolean,
  { headers }: BatchContext,
  mayRead: boolean,
): { outcome: RowOutcome; faults: Failure[] } {
  if (row.kind === "empty") return { outcome: "skipped", faults: [] };
  if (row.kind === "bad") return { outcome: "failed", faults: row.faults };
  if (done === undefined) throw new Error("a row was neither written nor refused");
  const failed = (field: string, code: string, message: string) => ({
    outcome: "failed" as const,
    faults: [{ row: row.line, column: headers.get(field) ?? field, code, message }],
  });
  if (isUnwritten(done)) {
    const identifier = done.among.at(-1)?.identifier;
    if (done.outcome === "unknown_id")
      return failed("id", "unknown_lead", "no lead has this id; to create new leads, leave out the column");
    if (identifier?.kind === "external_id" && done.outcome === "identity_conflict")
      return failed("external_id", "external_id_taken", takenMessage(done.among.at(-1)?.id, mayRead));
    return failed(identifier?.field ?? "", done.outcome, messageOf(done.outcome, done.among, mayRead));
  }
  switch (done.outcome) {
    case "created":
    case "updated":
      return { outcome: done.outcome, faults: [] };
    case "unchanged":
      return { outcome: hasEvents ? "updated" : "unchanged", faults: [] };
    case "left_out":
      return { outcome: "skipped", faults: [] };
    case "taken":
      return failed("external_id", "external_id_taken", takenMessage(done.holder, mayRead));
    case "too_many_tags": {
      const [list = ""] = row.more.keys();
      return failed(list, "too_many", `the lead's ${list} would have more than 100 entries`);
    }
    default:
      return failed("", "gone", "its lead was deleted or merged meanwhile; import the row again");
  }
}

const takenMessage = (holder: string | null | undefined, mayRead: boolean): string =>
  mayRead && typeof holder === "string"
    ? `the lead ${holder} has this external id`
    : "another lead has this external id";
