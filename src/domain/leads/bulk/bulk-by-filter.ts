import { Refusal } from "../../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { type LeadConditions, leadConditions } from "../../filter/sql/lead-conditions.ts";
import { withSchema } from "../../filter/with-schema.ts";
import { may } from "../../operation/may-sql.ts";
import type { MemberContext, Waiting } from "../../operation/operation.ts";
import { warn } from "../../operation/service/warn.ts";
import { readHolders } from "../identity/look-for.ts";
import { heldByOthers } from "../identity/resolve.ts";
import { changeLeads } from "../write/change-leads.ts";
import { heldFaults, nounOf } from "../write/doubts.ts";
import { readWith } from "../write/read-lead.ts";
import { type Addresses, addressesOf, lockAddresses } from "../write/shared-addresses.ts";
import { type BulkInput, checkBulk } from "./bulk-input.ts";
import { sharedPatch } from "./bulk-items.ts";
import { leadOpOf } from "./bulk-results.ts";

/** How many leads the filter found, and the outcomes. */
export interface FilterResult {
  matched: number;
  updated: number;
  unchanged: number;
  /** Leads left unchanged because they would have too many tags, or the external id of another lead. */
  failed: number;
  /** Leads that keep an opt-out which the change would have cleared. */
  opt_outs_kept: number;
}

/** More leads would be locked too long, so a job changes them. */
export const MOST_AT_ONCE = 10_000;

/** How many leads one statement changes. */
export const BATCH = 1_000;

/** The patch and the leads to change, read with the project schema. */
export interface BulkByFilter extends LeadConditions {
  patch: LeadPatch;
  gives: Addresses;
}

/** Reads a bulk change by filter; refuses invalid input. */
export async function readByFilter(context: MemberContext, input: BulkInput): Promise<BulkByFilter> {
  const readShared = (schema: WritingSchema) => {
    checkBulk(input);
    const patch = sharedPatch(input, schema) ?? {};
    return { patch, gives: addressesOf(patch, schema) };
  };
  const { patch, gives } = await readWith(context, [input.set], readShared, "addresses");
  const { op, filter, search = "", timezone } = input;
  const zone = timezone === undefined ? {} : { timezone };
  const selection = { filter, search, ...zone, deleted: op === "restore" };
  const { projectId } = context.caller;
  const found = await withSchema(context, selection, (schema) =>
    leadConditions(projectId, selection, schema),
  );
  return { ...found, patch, gives };
}

/** Reads a bulk change by filter and returns a function that performs it in a transaction: all leads or none. */
export async function changeByFilter(
  context: MemberContext,
  change: Change,
  input: BulkInput,
): Promise<(tx: Transaction) => Promise<FilterResult>> {
  const { waiting } = context;
  const read = await readByFilter(context, input);
  return async (tx) => {
    await tx.allow(60_000);
    await lockAddresses(tx, context.caller, read.gives);
    const found = await lockFound(tx, read);
    if (found.length > MOST_AT_ONCE) throw tooMany(input);
    checkCount(found.length, input);
    await watchShared(tx, context, read.gives, found);
    return await changeFound(tx, change, input, found, read.patch, waiting);
  };
}

/**
 * Warns the caller if several of these leads get the same address, or one that another lead has; refuses (409) if the project does not want
 * that. Without ids there are more leads than are looked at.
 */
export async function watchShared(
  db: Pick<ProjectDb, "query">,
  { service, caller }: Pick<MemberContext, "service" | "caller">,
  { identifiers, country, refused }: Addresses,
  ids?: readonly string[],
): Promise<void> {
  if (identifiers.length === 0 || ids?.length === 0) return;
  const faults =
    ids?.length === 1
      ? heldFaults(
          heldByOthers(identifiers, await readHolders(db, caller.projectId, identifiers, country), ids[0]),
          "$.set",
        )
      : identifiers.map(({ field, kind }) => {
          const message = `All leads that match get the same ${nounOf({ kind })}.`;
          return { path: `$.set.${field}`, code: "held", message };
        });
  if (faults.length === 0) return;
  const mayRead = await may(db, caller, "leads:read");
  if (refused) {
    const message =
      "Another lead has this address, or several leads would get it, and the project allows one lead for each.";
    throw new Refusal("conflict", "address_held", message, mayRead ? { faults } : {});
  }
  if (mayRead) warn(service, faults);
}

/** Locks the matching leads and returns their ids; at most one more than may be changed at once. */
export async function lockFound(tx: Transaction, { scope, where }: LeadConditions): Promise<string[]> {
  const found = await tx.query<{ id: string }>(
    `SELECT id FROM lead WHERE ${where} ORDER BY id LIMIT ${MOST_AT_ONCE + 1} FOR NO KEY UPDATE OF lead`,
    scope.parameters.values,
  );
  return found.map(({ id }) => id);
}

/** Makes the same change to these leads in batches and counts the outcomes; stops if the caller cancels. */
export async function changeFound(
  tx: Transaction,
  change: Change,
  { op, clear_opt_out: clears = false }: BulkInput,
  ids: readonly string[],
  patch: LeadPatch,
  waiting?: Waiting,
): Promise<FilterResult> {
  const result: FilterResult = { matched: ids.length, updated: 0, unchanged: 0, failed: 0, opt_outs_kept: 0 };
  for (let at = 0; at < ids.length; at += BATCH) {
    if (waiting?.signal.aborted) throw givenUp();
    const batch = ids.slice(at, at + BATCH).map((id, place) => ({ place, id, patch }));
    for (const done of await changeLeads(tx, change, leadOpOf(op), batch, { keepsOptOut: !clears })) {
      const { outcome } = done;
      result[outcome === "updated" || outcome === "unchanged" ? outcome : "failed"] += 1;
      if (done.keptOptOut === true) result.opt_outs_kept += 1;
    }
    waiting?.progress(Math.min(at + BATCH, ids.length), ids.length);
  }
  if (waiting?.signal.aborted) throw givenUp();
  return result;
}

const givenUp = (): Refusal =>
  new Refusal("conflict", "given_up", "The caller disconnected; nothing was changed.");

/** Refuses if the number of leads differs from the expected one. */
export function checkCount(found: number, { expected_count: expected }: BulkInput): void {
  if (expected !== undefined && expected !== found) throw otherCount(String(found), expected);
}

function tooMany({ expected_count: expected }: BulkInput): Refusal {
  const most = MOST_AT_ONCE.toLocaleString("en");
  if (expected !== undefined) return otherCount(`more than ${most}`, expected);
  const text = `More than ${most} leads match, too many for a dry run. Narrow the filter, or count the leads and change them without a dry run.`;
  return new Refusal("unprocessable", "too_many_leads", text);
}

function otherCount(found: string, expected: number): Refusal {
  const text = `The filter matches ${found} leads, not ${expected}. Check them again before you change them.`;
  return new Refusal("conflict", "count_changed", text, {
    faults: [{ path: "$.expected_count", code: "count_changed", message: found }],
  });
}
