/** The size limit of a body that writes rows, in bytes: enough for 500 rows of common size. */
export const LARGE_BODY = 8 * 1_024 * 1_024;
