/** How many rows one statement of a sweep deletes, so that others wait only milliseconds for its locks. */
const BATCH = 1_000;

/**
 * Returns a statement that deletes at most one batch of the rows matching `over` and returns their number as
 * `gone`. The condition is repeated so that a row restored while the statement waited for its lock stays.
 */
export const batchOf = (table: string, key: string, over: string): string => `
  WITH batch AS (
    DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${over} LIMIT ${BATCH}) AND ${over}
    RETURNING 1
  ) SELECT count(*)::int AS gone FROM batch`;

/** Runs such a statement, whose batches have `batch` rows, until nothing is left to delete. */
export async function inBatches(run: () => Promise<{ gone: number }[]>, batch = BATCH): Promise<void> {
  while (((await run())[0]?.gone ?? 0) >= batch);
}
