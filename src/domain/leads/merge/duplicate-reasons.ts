import type { DuplicateReason } from "../../../contract/lists/duplicates.ts";
import { e164Of } from "../../values/read-phone.ts";

/** What identifies a lead. */
export interface Identity {
  id: string;
  external_id: string | null;
  email: string | null;
  emails: string[];
  phone_e164: string | null;
  phones: string[];
}

/** Reasons to take two leads for one person, most reliable first, with their weights. */
const WEIGHTS: Record<DuplicateReason, number> = {
  external_id: 0.95,
  email: 0.9,
  phone: 0.8,
  name_and_company: 0.6,
  conflict: 0.5,
};

export interface Reason {
  code: DuplicateReason;
  /** The shared value; null for names, which may be spelled differently, and for a submission that fits both. */
  value: string | null;
}

const emailsOf = ({ email, emails }: Identity): string[] =>
  unique([email, ...emails].flatMap((each) => (each === null ? [] : [each.toLowerCase()])));

/** All numbers in E.164; those of the list are read as numbers of the project's country. */
const numbersOf = ({ phone_e164: main, phones }: Identity, country: string | null): string[] =>
  unique([main, ...phones.map((phone) => e164Of(phone, country))].filter((number) => number !== null));

export function reasonsOf(
  lead: Identity,
  other: Identity,
  country: string | null,
  told: { same_person: boolean; conflict: boolean },
): Reason[] {
  const reasons: Reason[] = [];
  if (lead.external_id !== null && lead.external_id === other.external_id)
    reasons.push({ code: "external_id", value: lead.external_id });
  const email = shared(emailsOf(lead), emailsOf(other));
  if (email !== undefined) reasons.push({ code: "email", value: email });
  const phone = shared(numbersOf(lead, country), numbersOf(other, country));
  if (phone !== undefined) reasons.push({ code: "phone", value: phone });
  if (told.same_person) reasons.push({ code: "name_and_company", value: null });
  if (told.conflict) reasons.push({ code: "conflict", value: null });
  return reasons;
}

/** From 0 to 1: each reason removes its share of the remaining doubt. */
export function scoreOf(reasons: readonly Reason[]): number {
  const doubt = reasons.reduce((rest, { code }) => rest * (1 - WEIGHTS[code]), 1);
  return Math.round((1 - doubt) * 1_000) / 1_000;
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

const shared = (own: readonly string[], others: readonly string[]): string | undefined =>
  own.find((each) => others.includes(each));
