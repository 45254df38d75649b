import type { BulkOp } from "../../../contract/lists/bulk.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { type LeadConditions, leadConditions } from "../../filter/sql/lead-conditions.ts";
import { withSchema } from "../../filter/with-schema.ts";
import type { MemberContext, Waiting } from "../../operation/operation.ts";
import { changeLeads } from "../write/change-leads.ts";
import { readWith } from "../write/read-lead.ts";
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
}

/** More leads would be locked too long, so a job changes them. */
export const MOST_AT_ONCE = 10_000;

/** How many leads one statement changes. */
export const BATCH = 1_000;

/** The patch and the leads to change, read with the project schema. */
export interface BulkByFilter extends LeadConditions {
  patch: LeadPatch;
}

/** Reads a bulk change by filter; refuses invalid input. */
export async function readByFilter(context: MemberContext, input: BulkInput): Promise<BulkByFilter> {
  const patch = await readWith(context, [input.set], (schema) => {
    checkBulk(input);
    return sharedPatch(input, schema) ?? {};
  });
  const { filter, search = "", timezone } = input;
  const selection = { filter, search, ...(timezone === undefined ? {} : { timezone }) };
  const { projectId } = context.caller;
  const found = await withSchema(context, selection, (schema) =>
    leadConditions(projectId, selection, schema),
  );
  return { ...found, patch };
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
    const found = await lockFound(tx, read);
    if (found.length > MOST_AT_ONCE) throw tooMany(input);
    checkCount(found.length, input);
    return await changeFound(tx, change, input.op, found, read.patch, waiting);
  };
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
  op: BulkOp,
  ids: readonly string[],
  patch: LeadPatch,
  waiting?: Waiting,
): Promise<FilterResult> {
  const result: FilterResult = { matched: ids.length, updated: 0, unchanged: 0, failed: 0 };
  for (let at = 0; at < ids.length; at += BATCH) {
    if (waiting?.signal.aborted) throw givenUp();
    const batch = ids.slice(at, at + BATCH).map((id, place) => ({ place, id, patch }));
    for (const { outcome } of await changeLeads(tx, change, leadOpOf(op), batch)) {
      result[outcome === "updated" || outcome === "unchanged" ? outcome : "failed"] += 1;
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
