/** What identifies a lead, most reliable first. */
export const IDENTITY_NAMES = ["external_id", "email", "phone"] as const;
export type IdentityName = (typeof IDENTITY_NAMES)[number];
