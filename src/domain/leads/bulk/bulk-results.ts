import type { BulkOp } from "../../../contract/lists/bulk.ts";
import type { ItemOutcome } from "../../../contract/lists/outcomes.ts";
import type { Refusal } from "../../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { may } from "../../operation/may-sql.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { lockAllIdentities } from "../identity/identity-locks.ts";
import { mergedLeads } from "../read/lead-id.ts";
import { changeLeads, type LeadOp } from "../write/change-leads.ts";
import { insertLeads } from "../write/insert-leads.ts";
import { unwritten } from "../write/upsert-lead.ts";
import { upsertLeads } from "../write/upsert-leads.ts";
import type { WriteOutcome } from "../write/write-outcome.ts";
import { writeRefusal } from "../write/write-outcome.ts";
import type { BulkItem } from "./bulk-items.ts";

/** The outcome of an item: written or refused. */
export interface BulkResult {
  index: number;
  id: string | null;
  outcome: ItemOutcome;
  version: number | null;
  refusal: Refusal | null;
}

interface Done {
  place: number;
  id: string;
  outcome: WriteOutcome;
  version: number | null;
  holder?: string | null;
}

/** Performs the items that were not refused; returns results for all, in order. */
export async function changeItems(
  db: Pick<ProjectDb, "query"> | Transaction,
  change: Change,
  caller: Credential,
  op: BulkOp,
  items: readonly BulkItem[],
): Promise<BulkResult[]> {
  const good = items.filter(({ refusal }) => refusal === undefined);
  const results = new Map<number, BulkResult>();
  for (const { place, refusal = null } of items) results.set(place, failed(place, null, refusal));
  const tell = (done: Done) => {
    const refusal = writeRefusal(done) ?? null;
    const { place: index, id, version } = done;
    if (done.outcome === "taken" && (op === "create" || version === null))
      return results.set(index, failed(index, null, refusal));
    const outcome = refusal === null ? (done.outcome as BulkResult["outcome"]) : "failed";
    results.set(index, { index, id, outcome, version, refusal });
  };
  if (op === "upsert" && "connection" in db) {
    await lockAllIdentities(db, caller.projectId);
    const written = await upsertLeads(db, change, good);
    const isTold = written.some((done) => "by" in done) && (await may(db, caller, "leads:read"));
    for (const done of written) {
      if ("by" in done) results.set(done.place, failed(done.place, null, unwritten(done, isTold)));
      else tell(done);
    }
  } else if (op === "create") (await insertLeads(db, change, good)).forEach(tell);
  else {
    const changed = await changeLeads(db, change, leadOpOf(op), good);
    changed.forEach(tell);
    const missing = changed.filter(({ outcome }) => outcome === "missing");
    const merged = missing.length === 0 ? NONE : await mergedLeads(db, caller.projectId, missing.map(idOf));
    for (const { place, id } of missing) {
      const refusal = merged.get(id);
      if (refusal !== undefined) results.set(place, failed(place, id, refusal));
    }
  }
  if (good.length === 0) await db.query("SELECT");
  return items.flatMap(({ place }) => results.get(place) ?? []);
}

const NONE: ReadonlyMap<string, Refusal> = new Map();

const idOf = ({ id }: Done): string => id;

const failed = (index: number, id: string | null, refusal: Refusal | null): BulkResult => ({
  index,
  id,
  outcome: "failed",
  version: null,
  refusal,
});

/** An update is a `set` in which each item has its own fields. */
export const leadOpOf = (op: BulkOp): LeadOp =>
  op === "update" || op === "create" || op === "upsert" ? "set" : op;
