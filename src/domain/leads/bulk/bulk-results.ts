import type { BulkOp } from "../../../contract/lists/bulk.ts";
import type { ItemOutcome } from "../../../contract/lists/outcomes.ts";
import type { Fault, Refusal } from "../../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { may } from "../../operation/may-sql.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { lockAllIdentities } from "../identity/identity-locks.ts";
import { mergedLeads } from "../read/lead-id.ts";
import { changeLeads } from "../write/change-leads.ts";
import { doubtsOf, isDoubtful } from "../write/doubts.ts";
import { insertLeads } from "../write/insert-leads.ts";
import type { LeadOp } from "../write/lead-effects.ts";
import { heldAmong, refusalOfShared, writeTold } from "../write/shared-addresses.ts";
import { unwrittenRefusal } from "../write/unwritten.ts";
import { isUnwritten, upsertLeads } from "../write/upsert-leads.ts";
import { type Written, writeRefusal } from "../write/write-outcome.ts";
import type { BulkItem } from "./bulk-items.ts";

/** The outcome of an item: written or refused. */
export interface BulkResult {
  index: number;
  id: string | null;
  outcome: ItemOutcome;
  version: number | null;
  refusal: Refusal | null;
  warnings: readonly Fault[];
}

/** What a call does to its items. */
export interface ItemsToWrite {
  op: BulkOp;
  items: readonly BulkItem[];
  fill: boolean;
  /** Whether they clear no `do_not_contact`. */
  keepsOptOut: boolean;
  country: string | null;
  /** Whether the project refuses addresses that another lead has. */
  refusesShared: boolean;
}

/** Whether the items must be written in a transaction, under a lock of identities. */
export const needsLock = ({ op, items, refusesShared }: ItemsToWrite): boolean =>
  op === "upsert" || (refusesShared && items.some(({ gives }) => gives.length > 0));

/** Performs the items that were not refused; returns results for all, in order. */
export async function changeItems(
  db: ProjectDb | Transaction,
  change: Change,
  caller: Credential,
  given: ItemsToWrite,
): Promise<BulkResult[]> {
  const { op, items } = given;
  const results = new Map<number, BulkResult>();
  for (const { place, refusal = null } of items) results.set(place, failed(place, null, refusal));
  if (needsLock(given) && "connection" in db) await lockAllIdentities(db, caller.projectId);
  const good = items.filter(({ refusal }) => refusal === undefined);
  if (good.length === 0) await db.query("SELECT");
  const done =
    op === "upsert" && "connection" in db
      ? await upsertLeads(db, change, good, given)
      : await writeItems(db, change, caller, given, good, results);
  const isTold = done.some((each) => isUnwritten(each) || isDoubtful(each));
  const mayRead = isTold && (await may(db, caller, "leads:read"));
  for (const each of done) {
    const { place } = each;
    if (isUnwritten(each)) results.set(place, failed(place, null, unwrittenRefusal(each, mayRead)));
    else results.set(place, resultOf(each, op, mayRead));
  }
  const missing = done.flatMap((each) => (each.outcome === "missing" ? [each] : []));
  const merged =
    missing.length === 0
      ? NONE
      : await mergedLeads(
          db,
          caller.projectId,
          missing.map(({ id }) => id),
        );
  for (const { place, id } of missing) {
    const refusal = merged.get(id);
    if (refusal !== undefined) results.set(place, failed(place, id, refusal));
  }
  return items.flatMap(({ place }) => results.get(place) ?? []);
}

const NONE: ReadonlyMap<string, Refusal> = new Map();

/** Creates leads, or changes them by their ids; those that get an address which another lead has are told or refused. */
async function writeItems(
  db: ProjectDb | Transaction,
  change: Change,
  caller: Credential,
  given: ItemsToWrite,
  items: readonly BulkItem[],
  results: Map<number, BulkResult>,
): Promise<Written[]> {
  const { op, country, keepsOptOut } = given;
  const isRefused = needsLock(given) && "connection" in db;
  const held = isRefused ? await heldAmong(db, caller, country, items) : NONE_HELD;
  const mayRead = held.size > 0 && (await may(db, caller, "leads:read"));
  for (const [place, own] of held)
    results.set(place, failed(place, null, refusalOfShared(own, `$.items[${place}]`, mayRead)));
  const wanted = items.filter(({ place }) => !held.has(place));
  return await writeTold(db, caller.projectId, country, isRefused ? [] : wanted, async (behind) =>
    op === "create"
      ? await insertLeads(
          db,
          change,
          wanted.map(({ place, patch }) => ({ place, patch })),
          { behind },
        )
      : await changeLeads(
          db,
          change,
          leadOpOf(op),
          wanted.map(({ place, id, version, patch }) => ({ place, id, version, patch })),
          { behind, keepsOptOut },
        ),
  );
}

const NONE_HELD: Awaited<ReturnType<typeof heldAmong>> = new Map();

function resultOf(done: Written, op: BulkOp, mayRead: boolean): BulkResult {
  const { place: index, id, version } = done;
  const refusal = writeRefusal(done) ?? null;
  if (done.outcome === "taken" && (op === "create" || version === null)) return failed(index, null, refusal);
  const outcome = refusal === null ? (done.outcome as BulkResult["outcome"]) : "failed";
  const warnings = refusal === null && mayRead ? doubtsOf(done, `$.items[${index}]`) : [];
  return { index, id, outcome, version, refusal, warnings };
}

const failed = (index: number, id: string | null, refusal: Refusal | null): BulkResult => ({
  ...{ index, id, outcome: "failed", version: null, refusal, warnings: [] },
});

/** An update is a `set` in which each item has its own fields. */
export const leadOpOf = (op: BulkOp): LeadOp =>
  op === "update" || op === "create" || op === "upsert" ? "set" : op;
