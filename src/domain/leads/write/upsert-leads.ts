import type { IdentityName } from "../../../contract/lists/identities.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { findCandidates, type Match, type Upsert } from "../identity/find-candidates.ts";
import { identityKeys } from "../identity/identity.ts";
import { changeLeads, type LeadChange } from "./change-leads.ts";
import { insertLeads } from "./insert-leads.ts";
import type { Written } from "./write-outcome.ts";

/** Nothing was written, because of the leads that were found: several, or one (or none) against what was expected. */
export interface Unwritten {
  place: number;
  outcome: "ambiguous" | "unexpected" | "not_found";
  by: IdentityName;
  ids: string[];
}

/**
 * Finds or creates each lead, in the given order; later items can match leads that earlier ones created. A lead that
 * is found keeps its `created_at`. The identities must stay locked until the commit. `known` are the matches, if they were
 * looked for already.
 */
export async function upsertLeads(
  tx: Transaction,
  change: Change,
  upserts: readonly Upsert[],
  known?: ReadonlyMap<number, Match>,
): Promise<(Written | Unwritten)[]> {
  const done: (Written | Unwritten)[] = [];
  let waiting = upserts;
  for (let matches = known; waiting.length > 0; matches = undefined) {
    const [round, later] = apart(waiting);
    const found = matches ?? (await findCandidates(tx, change.by.projectId, round));
    const changes = new Map<string, LeadChange>();
    const fresh: Upsert[] = [];
    for (const upsert of round) {
      const { place, matchOn, expected = {} } = upsert;
      const { created_at: _, ...patch } = upsert.patch;
      const { by, ids, merged } = found.get(place) ?? { ...NOBODY, by: matchOn[0] ?? "email" };
      const [id] = ids;
      const { if_version: wanted, if_absent: absent } = expected;
      const version = wanted === "*" ? undefined : wanted;
      if (id === undefined && wanted !== undefined) done.push({ place, outcome: "not_found", by, ids });
      else if (id === undefined) fresh.push(upsert);
      else if (ids.length > 1) done.push({ place, outcome: "ambiguous", by, ids });
      else if (absent === true) done.push({ place, outcome: "unexpected", by, ids });
      else if (changes.has(id)) later.push(upsert);
      else changes.set(id, { place, id, version, patch: merged ? without(patch, by) : patch });
    }
    const { made, again } = apartTaken(fresh, await insertLeads(tx, change, fresh));
    done.push(...made);
    later.push(...again);
    const [only, ...more] = changes.keys();
    if (change.kind === "lead.upsert" && more.length === 0 && only !== undefined) change.leadId = only;
    done.push(...(await changeLeads(tx, change, "set", [...changes.values()])));
    waiting = later.sort((a, b) => a.place - b.place);
  }
  return done.sort((a, b) => a.place - b.place);
}

/** A call that creates leads without looking for them may have been faster; the next round finds its lead. */
function apartTaken(
  fresh: readonly Upsert[],
  made: readonly Written[],
): { made: Written[]; again: Upsert[] } {
  const taken = new Set(made.flatMap(({ outcome, place }) => (outcome === "taken" ? [place] : [])));
  const again = fresh.filter(({ place, matchOn }) => taken.has(place) && matchOn.includes("external_id"));
  return { made: made.filter(({ place }) => !again.some((upsert) => upsert.place === place)), again };
}

const NOBODY: Match = { by: "email", ids: [], merged: false };

/**
 * Drops an identity that matched by way of a merged lead. The surviving lead keeps its own, else two sources would
 * overwrite each other forever.
 */
function without(patch: LeadPatch, by: IdentityName): LeadPatch {
  const names = by === "phone" ? ["phone", "phone_e164"] : [by];
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !names.includes(name)));
}

/** Splits off the upserts that share an identity with an earlier one. */
function apart(upserts: readonly Upsert[]): [round: Upsert[], later: Upsert[]] {
  const seen = new Set<string>();
  const round: Upsert[] = [];
  const later: Upsert[] = [];
  for (const upsert of upserts) {
    const keys = identityKeys(upsert.patch);
    (keys.some((key) => seen.has(key)) ? later : round).push(upsert);
    for (const key of keys) seen.add(key);
  }
  return [round, later];
}
