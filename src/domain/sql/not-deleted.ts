/** The SQL condition for leads that are neither deleted nor merged into another. */
export const NOT_DELETED = "deleted_at IS NULL AND merged_into_id IS NULL";
