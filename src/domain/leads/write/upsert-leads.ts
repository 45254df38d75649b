import type { IdentityName } from "../../../contract/lists/identities.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { findCandidates, type Match, type Upsert } from "../identity/find-candidates.ts";
import { identityKeys } from "../identity/identity.ts";
import { changeLeads, type LeadChange } from "./change-leads.ts";
import { insertLeads } from "./insert-leads.ts";
import type { Written } from "./write-outcome.ts";

/** Several leads have the identity, so nothing was written. */
interface Ambiguous {
  place: number;
  outcome: "ambiguous";
  by: IdentityName;
  ids: string[];
}

/**
 * Finds or creates each lead, in the given order; later items can match leads that earlier ones created. The
 * identities must stay locked until the commit.
 */
export async function upsertLeads(
  tx: Transaction,
  caller: Credential,
  upserts: readonly Upsert[],
): Promise<(Written | Ambiguous)[]> {
  const done: (Written | Ambiguous)[] = [];
  let waiting = upserts;
  while (waiting.length > 0) {
    const [round, later] = apart(waiting);
    const found = await findCandidates(tx, caller.projectId, round);
    const changes = new Map<string, LeadChange>();
    const fresh: Upsert[] = [];
    for (const upsert of round) {
      const { place, patch } = upsert;
      const { by, ids, merged } = found.get(place) ?? NOBODY;
      const [id] = ids;
      if (id === undefined) fresh.push(upsert);
      else if (ids.length > 1) done.push({ place, outcome: "ambiguous", by, ids });
      else if (changes.has(id)) later.push(upsert);
      else changes.set(id, { place, id, patch: merged ? without(patch, by) : patch });
    }
    done.push(...(await insertLeads(tx, caller, fresh)));
    done.push(...(await changeLeads(tx, caller, "set", [...changes.values()])));
    waiting = later.sort((a, b) => a.place - b.place);
  }
  return done.sort((a, b) => a.place - b.place);
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
