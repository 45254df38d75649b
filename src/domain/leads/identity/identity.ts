import { type Static, Type } from "typebox";
import type { LeadPatch } from "../../fields/lead-input.ts";

const IDENTITY_NAMES = ["external_id", "email", "phone"] as const;

/** What a lead may be known by. */
export type IdentityName = (typeof IDENTITY_NAMES)[number];

const Name = Type.Union(IDENTITY_NAMES.map((name) => Type.Literal(name)));

/** By what a lead is looked for, the surest first. */
export const MatchOn = Type.Union([Name, Type.Array(Name, { minItems: 1, maxItems: 3 })], {
  description: "What to find the lead by, in this order; defaults to external_id, email, phone.",
});

export const matchOrder = (given: Static<typeof MatchOn> | undefined): readonly IdentityName[] =>
  given === undefined ? IDENTITY_NAMES : typeof given === "string" ? [given] : [...new Set(given)];

/** The identities that a lead brings, an e-mail in small letters and a phone in E.164. */
export function identitiesOf(patch: LeadPatch): Partial<Record<IdentityName, string>> {
  const { external_id: external, email, phone_e164: phone } = patch;
  return {
    ...(typeof external === "string" ? { external_id: external } : {}),
    ...(typeof email === "string" ? { email: email.toLowerCase() } : {}),
    ...(typeof phone === "string" ? { phone } : {}),
  };
}

/** The identities as texts of which no two of different kinds are equal. */
export const identityKeys = (patch: LeadPatch): string[] =>
  Object.entries(identitiesOf(patch)).map(([name, value]) => `${name} ${value}`);
