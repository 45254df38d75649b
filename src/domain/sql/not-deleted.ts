/** A lead that is there, in SQL: neither deleted nor merged into another one. */
export const NOT_DELETED = "deleted_at IS NULL AND merged_into_id IS NULL";
