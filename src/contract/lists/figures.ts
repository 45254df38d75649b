/** What a status says of a lead. */
export const MEANINGS = ["open", "won", "lost"] as const;
export type Meaning = (typeof MEANINGS)[number];

/** The field of filters that compares the meaning of a lead's status. */
export const MEANING_FIELD = "status_meaning";

/** What filters call the changes of a status after which it means something else than before; events do not have these types. */
export const BECAME = MEANINGS.map((meaning) => `became.${meaning}` as const);

/** How a figure is computed of leads; all but `count` need a field. */
export const METRICS = ["count", "sum", "avg", "median", "min", "max", "count_distinct"] as const;
