import { ACTIVITY, CLUSTER_FEED_END } from "../statements/oldest-running.ts";
import type { Statement } from "../wire/statement-batch.ts";

const READ = `SELECT tx::text AS tx FROM (${CLUSTER_FEED_END}) AS feed_end`;

/** Reads where the feed ends, by what sends statements in one transaction and returns the rows of the last. */
export async function feedEndBy(
  together: (statements: readonly Statement[]) => Promise<{ tx: string }[]>,
): Promise<string | undefined> {
  return (await together([ACTIVITY, { text: READ, values: [] }]))[0]?.tx;
}
