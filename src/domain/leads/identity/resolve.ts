import type { IdentityName } from "../../../contract/lists/identities.ts";
import { FURTHER, type Holders, type KnownLead, nearest } from "./holders.ts";
import type { Identifier } from "./identifiers.ts";

/** Other leads that have an identifier of a record. */
export interface Held {
  identifier: Identifier;
  ids: readonly string[];
}

/** Of many leads that have one value, the oldest are named. */
const MOST_NAMED = 20;

/** How many leads have a value of which these many are named. */
export const countedAs = (named: number): string => (named < MOST_NAMED ? String(named) : `${named} or more`);

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
  const among: { identifier: Identifier; id: string }[] = [];
  let chosen: { lead: KnownLead; by: Identifier; way: number } | undefined;
  for (const identifier of identifiers) {
    const { leads, way } = foundBy(holders, identifier);
    if (chosen === undefined) {
      const fitting = leads.filter((lead) => !isAnother(lead, identifier.rank, identifiers, holders));
      const [lead, ...more] = fitting;
      if (lead !== undefined && more.length > 0) return ambiguous(identifier, fitting);
      if (lead !== undefined) chosen = { lead, by: identifier, way };
      continue;
    }
    const { lead } = chosen;
    if (holders.has(lead.id, identifier)) continue;
    const [only, ...more] = leads;
    if (only !== undefined && more.length === 0) among.push({ identifier, id: only.id });
  }
  if (chosen !== undefined && among.length > 0) {
    const first = { identifier: chosen.by, id: chosen.lead.id };
    const others = among.filter(({ id }, i) => among.findIndex((each) => each.id === id) === i);
    return { conflict: "identity_conflict", among: [first, ...others] };
  }
  const held = heldByOthers(identifiers, holders, chosen?.lead.id);
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
    if (more.length > 0) return ambiguous(identifier, fitting);
    chosen = { lead, by: identifier, way };
    break;
  }
  const held = heldByOthers(identifiers, holders, chosen?.lead.id);
  return chosen === undefined ? { lead: undefined, held } : { ...chosen, held };
}

const ambiguous = (identifier: Identifier, leads: readonly KnownLead[]): Resolution => ({
  conflict: "ambiguous",
  among: leads.slice(0, MOST_NAMED).map(({ id }) => ({ identifier, id })),
});

/** Who else has identifiers that a lead gets and does not have yet, or that a new one has. */
export const heldByOthers = (identifiers: readonly Identifier[], holders: Holders, id?: string): Held[] =>
  heldBeside(
    identifiers.filter((each) => id === undefined || !holders.has(id, each)),
    holders,
    id,
  );

/** Which other leads have identifiers. */
export const heldBeside = (identifiers: readonly Identifier[], holders: Holders, id?: string): Held[] =>
  identifiers.flatMap((identifier) => {
    const others = holders.of(identifier).filter((each) => each.id !== id);
    const ids = others.map((each) => each.id).sort();
    return ids.length === 0 ? [] : [{ identifier, ids: ids.slice(0, MOST_NAMED) }];
  });

/** The leads that an identifier finds: those that have it as their main one, else as a further one, else through a merge. */
function foundBy(
  holders: Holders,
  identifier: Identifier,
  without?: number,
): { leads: KnownLead[]; way: number } {
  const ways = holders.of(identifier).map((each) => nearest(each, without));
  const way = Math.min(...ways.filter((each) => each > 0));
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
  const named = identifiers.find(({ kind }) => kind === "id");
  if (named !== undefined && named.rank < rank && named.value !== lead.id) return true;
  return KINDS.some((kind) => {
    const given = identifiers.find(({ field }) => field === kind);
    return given !== undefined && given.rank < rank && lead[kind] !== null && !holders.has(lead.id, given);
  });
}
