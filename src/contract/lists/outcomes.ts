/** What a write did to a record. */
export const OUTCOMES = ["created", "updated", "unchanged"] as const;
export type Outcome = (typeof OUTCOMES)[number];
