import type { MatchOn } from "../../../contract/leads/lead-input.ts";
import { IDENTITY_NAMES, type IdentityName } from "../../../contract/lists/identities.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";

export const matchOrder = (given: MatchOn | undefined): readonly IdentityName[] =>
  given === undefined ? IDENTITY_NAMES : typeof given === "string" ? [given] : [...new Set(given)];

export type Identities = Partial<Record<IdentityName, string>>;

/** The condition that a lead has an identity, as its index has it. */
export const IDENTITY_SQL: Record<IdentityName, (value: string) => string> = {
  external_id: (value) => `external_id = ${value}`,
  email: (value) => `lower(email) = lower(${value})`,
  phone: (value) => `phone_e164 = ${value}`,
};

/** The identities in a patch, with the e-mail in lower case and the phone in E.164. */
export function identitiesOf(patch: LeadPatch): Identities {
  const { external_id: external, email, phone_e164: phone } = patch;
  return {
    ...(typeof external === "string" ? { external_id: external } : {}),
    ...(typeof email === "string" ? { email: email.toLowerCase() } : {}),
    ...(typeof phone === "string" ? { phone } : {}),
  };
}

/** The identities as strings that differ between kinds. */
export const identityKeys = (patch: LeadPatch): string[] =>
  Object.entries(identitiesOf(patch)).map(([name, value]) => `${name} ${value}`);
