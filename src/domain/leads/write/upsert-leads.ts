import type { RowMode } from "../../../contract/lists/datasets.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { Holders } from "../identity/holders.ts";
import { readHolders } from "../identity/look-for.ts";
import { Plan, type Unwritten, type Upsert } from "./plan-upserts.ts";
import type { Written } from "./write-outcome.ts";

export const isUnwritten = (done: Written | Unwritten): done is Unwritten => "among" in done;

interface Options {
  /** Whether only what is empty is written. */
  fill?: boolean | undefined;
  /** Which records are written: those that create a lead, or those that change one; all by default. */
  mode?: RowMode | undefined;
  /** Whether records clear no `do_not_contact`. */
  keepsOptOut?: boolean | undefined;
  /** The project's. */
  country: string | null;
  /** Who has the identifiers, if that was read already. */
  known?: Holders | undefined;
  /** The key of the caller, if it may be one that only creates leads. */
  key?: string | undefined;
}

/** How often records are tried that lost a race against writers who do not lock identities. */
const ATTEMPTS = 5;

/**
 * Finds or creates each lead, in the given order: a later record finds what an earlier one wrote. A lead that is found keeps
 * its `created_at`. The identifiers must stay locked until the commit.
 */
export async function upsertLeads(
  tx: Transaction,
  change: Change,
  upserts: readonly Upsert[],
  { fill = false, mode = "upsert", keepsOptOut = false, country, known, key }: Options,
): Promise<(Written | Unwritten)[]> {
  const done: (Written | Unwritten)[] = [];
  let waiting = upserts;
  let holders = known;
  for (let attempt = 1; waiting.length > 0; attempt += 1) {
    const all = waiting.flatMap(({ identifiers }) => identifiers);
    holders ??= await readHolders(tx, change.by.projectId, all, country, { key });
    const plan = new Plan(holders, { fill, mode, keepsOptOut, country });
    for (const upsert of waiting) {
      const unwritten = plan.add(upsert);
      if (unwritten !== undefined) done.push(unwritten);
    }
    const { written, again } = await plan.write(tx, change, attempt < ATTEMPTS);
    done.push(...written);
    waiting = waiting.filter(({ place }) => again.has(place));
    holders = undefined;
  }
  return done.sort((a, b) => a.place - b.place);
}
