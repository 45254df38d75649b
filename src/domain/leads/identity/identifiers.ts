import type { MatchOn } from "../../../contract/leads/lead-input.ts";
import { IDENTITY_NAMES, type IdentityName } from "../../../contract/lists/identities.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { e164Of } from "../../values/read-phone.ts";

/** A value by which a lead can be found. E-mails are in lower case, phones in E.164. */
export interface Identifier {
  kind: "id" | IdentityName;
  value: string;
  /** Names the value among those of all kinds. */
  key: string;
  /** The field that gives it, such as `emails`. */
  field: "id" | IdentityName | "emails" | "phones";
  /** The lower, the more reliable: the id, then the external id, the main e-mail, the main phone, and last the further ones. */
  rank: number;
}

const RANKS = { id: 0, external_id: 1, email: 2, phone: 3, emails: 4, phones: 4 } as const;

export const keyOf = (kind: Identifier["kind"], value: string): string => `${kind} ${value}`;

/** The identifiers that a record gives, most reliable first. Phones without a country code belong to `country`. */
export function identifiersOf(
  { external_id: external, email, phone_e164: phone, emails, phones }: LeadPatch,
  country: string | null,
  id?: string,
): Identifier[] {
  const found: Identifier[] = [];
  const add = (kind: Identifier["kind"], field: Identifier["field"], value: string | null) => {
    if (value === null) return;
    const key = keyOf(kind, value);
    if (!found.some((each) => each.key === key)) found.push({ kind, value, key, field, rank: RANKS[field] });
  };
  if (id !== undefined) add("id", "id", id);
  if (typeof external === "string") add("external_id", "external_id", external);
  if (typeof email === "string") add("email", "email", email.toLowerCase());
  if (typeof phone === "string") add("phone", "phone", phone);
  if (Array.isArray(emails)) for (const each of emails) add("email", "emails", each.toLowerCase());
  if (Array.isArray(phones)) for (const each of phones) add("phone", "phones", e164Of(each, country));
  return found;
}

/** The kinds of identifiers that a caller chose to find leads by, in their order; undefined for the rule of `resolve`. */
export const matchOrder = (given: MatchOn | undefined): readonly IdentityName[] | undefined =>
  given === undefined ? undefined : typeof given === "string" ? [given] : [...new Set(given)];

/** The main identifiers that can find a record's lead, by that choice. */
export const looksBy = (order: readonly IdentityName[] | undefined): readonly IdentityName[] =>
  order ?? IDENTITY_NAMES;
