import type { IdentityName } from "../../../contract/lists/identities.ts";
import { FURTHER, type Holders, type KnownLead, MERGED } from "./holders.ts";
import type { Identifier } from "./identifiers.ts";

/** Other leads that have an identifier of a record. */
export interface Held {
  identifier: Identifier;
  ids: readonly string[];
}

/** Whom a record is about: a known lead, nobody yet, or leads between which the service does not choose. */
export type Resolution =
  | { lead: KnownLead; by: Identifier; how: number; held: readonly Held[] }
  | { lead: undefined; held: readonly Held[] }
  | { conflict: "ambiguous" | "identity_conflict"; among: readonly { identifier: Identifier; id: string }[] };

/**
 * Decides whom a record is about (docs/api-design.md, "Who a lead is"). The most reliable identifier that finds a lead chooses
 * it, but never one that has another value of a more reliable kind. A less reliable one that only one other lead has is a
 * conflict; one that several have identifies nobody once a lead is chosen.
 */
export function resolve(identifiers: readonly Identifier[], holders: Holders): Resolution {
  const held: Held[] = [];
  let chosen: { lead: KnownLead; by: Identifier; how: number } | undefined;
  const fitting = (identifier: Identifier) =>
    nearest(holders, identifier, (lead) => !isAnother(lead, identifier.rank, identifiers, holders));
  for (const identifier of byCertainty(identifiers, (each) => fitting(each).leads.length)) {
    if (chosen === undefined) {
      const { leads, how } = fitting(identifier);
      const [lead, ...more] = leads;
      if (lead !== undefined && more.length > 0)
        return { conflict: "ambiguous", among: leads.map(({ id }) => ({ identifier, id })) };
      if (lead !== undefined) chosen = { lead, by: identifier, how };
      noteOthers(held, identifier, holders, lead?.id);
      continue;
    }
    const { lead, by } = chosen;
    if (holders.has(lead.id, identifier)) continue;
    const { leads } = nearest(holders, identifier, () => true, FURTHER);
    const [only, ...more] = leads;
    if (only !== undefined && more.length === 0) {
      const among = [
        { identifier: by, id: lead.id },
        { identifier, id: only.id },
      ];
      return { conflict: "identity_conflict", among };
    }
    noteOthers(held, identifier, holders, lead.id);
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
  let chosen: { lead: KnownLead; by: Identifier; how: number } | undefined;
  for (const kind of order) {
    const identifier = identifiers.find(({ field }) => field === kind);
    if (identifier === undefined) continue;
    const { leads, how } = nearest(holders, identifier, fits, undefined, [FURTHER]);
    const [lead, ...more] = leads;
    if (lead === undefined) continue;
    if (more.length > 0) return { conflict: "ambiguous", among: leads.map(({ id }) => ({ identifier, id })) };
    chosen = { lead, by: identifier, how };
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
  const ids = [...holders.of(identifier).keys()].sort();
  if (ids.length > 0) held.push({ identifier, ids });
}

/**
 * The leads that have an identifier in the nearest way: as their main one, as a further one, or through a merge. Ways up to
 * `together` count as one.
 */
function nearest(
  holders: Holders,
  identifier: Identifier,
  fits: (lead: KnownLead) => boolean,
  together = 0,
  without: readonly number[] = [],
): { leads: KnownLead[]; how: number } {
  let [leads, how]: [KnownLead[], number] = [[], MERGED];
  for (const [id, way] of holders.of(identifier)) {
    const lead = holders.leads.get(id);
    if (lead === undefined || without.includes(way) || !fits(lead)) continue;
    const near = Math.max(way, together);
    if (leads.length === 0 || near < Math.max(how, together)) leads = [];
    else if (near > Math.max(how, together)) continue;
    how = leads.length === 0 ? way : Math.min(how, way);
    leads.push(lead);
  }
  return { leads: leads.sort((a, b) => (a.id < b.id ? -1 : 1)), how };
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

/** Of further e-mails and phones, those that only one lead has come first. */
function byCertainty(
  identifiers: readonly Identifier[],
  count: (identifier: Identifier) => number,
): readonly Identifier[] {
  const further = identifiers.filter(({ field }) => field === "emails" || field === "phones");
  if (further.length < 2) return identifiers;
  const main = identifiers.filter((each) => !further.includes(each));
  const counts = new Map(further.map((each) => [each, count(each)]));
  const sure = further.filter((each) => counts.get(each) === 1);
  return [...main, ...sure, ...further.filter((each) => !sure.includes(each))];
}
