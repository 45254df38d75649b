/** What groups of duplicates have in common; `conflict` is a submission that fits all of them. */
export const LIKENESSES = ["email", "phone", "name_and_company", "conflict"] as const;
export type Likeness = (typeof LIKENESSES)[number];

/** Reasons to take two leads for one person, most reliable first. */
export const DUPLICATE_REASONS = ["external_id", ...LIKENESSES] as const;
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];
