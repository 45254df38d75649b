/** What groups of duplicates have in common. */
export const LIKENESSES = ["email", "phone", "name_and_company"] as const;
export type Likeness = (typeof LIKENESSES)[number];

/** Reasons to take two leads for one person, most reliable first; `conflict` is a submission that fits both. */
export const DUPLICATE_REASONS = ["external_id", ...LIKENESSES, "conflict"] as const;
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];
