/** What a write did to a record. */
export const OUTCOMES = ["created", "updated", "unchanged"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The outcomes of an item of many, which can fail alone. */
const ITEM_OUTCOMES = [...OUTCOMES, "failed"] as const;
export type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** The outcomes of the rows of a file. */
export const ROW_OUTCOMES = [...OUTCOMES, "skipped", "failed"] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** How many rows had each outcome; `rows` is their sum. */
export type RowCounts = Record<"rows" | RowOutcome, number>;

/** Also, of leads, how many rows opt out, and how many would have cleared an opt-out. */
export type ImportCounts = RowCounts & Record<"opted_out" | "opt_outs_kept", number>;
