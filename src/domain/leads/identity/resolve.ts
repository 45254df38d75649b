import type { IdentityName } from "../../../contract/lists/identities.ts";
import { FURTHER, type Holders, type KnownLead, nearest } from "./holders.ts";
import type { Identifier } from "./identifiers.ts";

/** Other leads that have an identifier of a record. */
export interface Held {
  identifier: Identifier;
  ids: readonly string[];
}

/** Whom a record is about: a known lead, nobody yet, or leads between which the service does not choose. */
export type Resolution =
  | { lead: KnownLead; by: Identifier; way: number; held: readonly Held[] }
  | { lead: undefined; held: readonly Held[] }
  | { conflict: "ambiguous" | "identity_conflict"; among: readonly { identifier: Identifier; id: string }[] };

/**
 * Decides whom a record is about (docs/api-design.md, "Who a lead is"). The most reliable identifier that finds a lead chooses
 * it, but never one that has another value of a more reliable kind. A less reliable one that only one other lead has is a
 * conflict; one that several have identifies nobody once a lead is chosen.
 */
export function resolve(identifiers: readonly Identifier[], holders: Holders): Resolution {
  const held: Held[] = [];
  const among: { identifier: Identifier; id: string }[] = [];
  let chosen: { lead: KnownLead; by: Identifier; way: number } | undefined;
  for (const identifier of identifiers) {
    const { leads, way } = foundBy(holders, identifier);
    if (chosen === undefined) {
      const fitting = leads.filter((lead) => !isAnother(lead, identifier.rank, identifiers, holders));
      const [lead, ...more] = fitting;
      if (lead !== undefined && more.length > 0)
        return { conflict: "ambiguous", among: fitting.map(({ id }) => ({ identifier, id })) };
      if (lead !== undefined) chosen = { lead, by: identifier, way };
      noteOthers(held, identifier, holders, lead?.id);
      continue;
    }
    const { lead } = chosen;
    if (holders.has(lead.id, identifier)) continue;
    const [only, ...more] = leads;
    if (only !== undefined && more.length === 0) among.push({ identifier, id: only.id });
    noteOthers(held, identifier, holders, lead.id);
  }
  if (chosen !== undefined && among.length > 0) {
    const first = { identifier: chosen.by, id: chosen.lead.id };
    const others = among.filter(({ id }, i) => among.findIndex((each) => each.id === id) === i);
    return { conflict: "identity_conflict", among: [first, ...others] };
  }
  return chosen === undefined ? { lead: undefined, held } : { ...chosen, held };
}

/** The same for a caller who chose what to look by: the first kind that finds a lead chooses it, and nothing is a conflict. */
export function resolveBy(
  order: readonly IdentityName[],
  identifiers: readonly Identifier[],
  holders: Holders,
): Resolution {
  const external = order.includes("external_id")
    ? identifiers.find(({ kind }) => kind === "external_id")
    : undefined;
  const fits = ({ id, external_id }: KnownLead) =>
    external === undefined || external_id === null || holders.has(id, external);
  let chosen: { lead: KnownLead; by: Identifier; way: number } | undefined;
  for (const kind of order) {
    const identifier = identifiers.find(({ field }) => field === kind);
    if (identifier === undefined) continue;
    const { leads, way } = foundBy(holders, identifier, FURTHER);
    const fitting = leads.filter(fits);
    const [lead, ...more] = fitting;
    if (lead === undefined) continue;
    if (more.length > 0)
      return { conflict: "ambiguous", among: fitting.map(({ id }) => ({ identifier, id })) };
    chosen = { lead, by: identifier, way };
    break;
  }
  const held: Held[] = [];
  for (const identifier of identifiers) noteOthers(held, identifier, holders, chosen?.lead.id);
  return chosen === undefined ? { lead: undefined, held } : { ...chosen, held };
}

/** Who else has identifiers that a lead gets, or that a new one has. */
export function heldByOthers(identifiers: readonly Identifier[], holders: Holders, id?: string): Held[] {
  const held: Held[] = [];
  for (const identifier of identifiers) noteOthers(held, identifier, holders, id);
  return held;
}

/** Adds other leads that have an identifier which the lead itself does not have yet. */
function noteOthers(held: Held[], identifier: Identifier, holders: Holders, id: string | undefined): void {
  if (id !== undefined && holders.has(id, identifier)) return;
  const having = holders.of(identifier);
  if (having.length > 0) held.push({ identifier, ids: having.map((each) => each.id).sort() });
}

/** The leads that an identifier finds: those that have it as their main one, else as a further one, else through a merge. */
function foundBy(
  holders: Holders,
  identifier: Identifier,
  without?: number,
): { leads: KnownLead[]; way: number } {
  const ways = holders.of(identifier).map(nearest);
  const way = Math.min(...ways.filter((each) => each !== without));
  const leads = holders
    .of(identifier)
    .flatMap(({ id }, i) => (ways[i] === way ? (holders.leads.get(id) ?? []) : []));
  return { leads: leads.length < 2 ? leads : leads.sort((a, b) => (a.id < b.id ? -1 : 1)), way };
}

const KINDS = ["external_id", "email", "phone"] as const;

/** Whether a lead has another value of a kind that is more reliable than this rank, and of which the record gives one. */
function isAnother(
  lead: KnownLead,
  rank: number,
  identifiers: readonly Identifier[],
  holders: Holders,
): boolean {
  return KINDS.some((kind) => {
    const given = identifiers.find(({ field }) => field === kind);
    return given !== undefined && given.rank < rank && lead[kind] !== null && !holders.has(lead.id, given);
  });
}
