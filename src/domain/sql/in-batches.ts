/** How many rows a sweep removes in one statement: what waits for their locks waits some milliseconds. */
const BATCH = 1_000;

/**
 * A statement that deletes at most a lot of rows that are `over`, and answers how many as `gone`. The condition
 * stands twice: a row that somebody brought back to life while the statement waited for it stays.
 */
export const batchOf = (table: string, key: string, over: string): string => `
  WITH lot AS (
    DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${over} LIMIT ${BATCH}) AND ${over}
    RETURNING 1
  ) SELECT count(*)::int AS gone FROM lot`;

/** Runs such a statement until nothing is left to delete. */
export async function inBatches(run: () => Promise<{ gone: number }[]>): Promise<void> {
  while (((await run())[0]?.gone ?? 0) >= BATCH);
}
