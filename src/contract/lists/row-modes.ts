/** How rows are written to a dataset. */
export const ROW_MODES = ["insert", "upsert", "update"] as const;
export type RowMode = (typeof ROW_MODES)[number];
