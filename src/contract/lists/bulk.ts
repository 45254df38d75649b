/** The operations on leads that a filter finds. */
export const FILTER_OPS = ["set", "tag_add", "tag_remove", "delete", "restore"] as const;

/** The bulk operations. */
export const BULK_OPS = ["create", "update", "upsert", ...FILTER_OPS] as const;
export type BulkOp = (typeof BULK_OPS)[number];
