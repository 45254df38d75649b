import { type Static, Type } from "typebox";
import type { LeadPatch } from "../../fields/lead-input.ts";

const IDENTITY_NAMES = ["external_id", "email", "phone"] as const;

/** The identities of a lead. */
export type IdentityName = (typeof IDENTITY_NAMES)[number];

const Name = Type.Union(IDENTITY_NAMES.map((name) => Type.Literal(name)));

/** The identities to find a lead by, most reliable first. */
export const MatchOn = Type.Union([Name, Type.Array(Name, { minItems: 1, maxItems: 3 })], {
  description: "What to find the lead by, in this order; defaults to external_id, email, phone.",
});

export const matchOrder = (given: Static<typeof MatchOn> | undefined): readonly IdentityName[] =>
  given === undefined ? IDENTITY_NAMES : typeof given === "string" ? [given] : [...new Set(given)];

/** The identities in a patch, with the e-mail in lower case and the phone in E.164. */
export function identitiesOf(patch: LeadPatch): Partial<Record<IdentityName, string>> {
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
