/** How a figure is computed of leads; all but `count` need a field. */
export const METRICS = ["count", "sum", "avg", "median", "min", "max", "count_distinct"] as const;
