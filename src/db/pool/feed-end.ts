import { ACTIVITY, READ_FEED_END } from "../statements/oldest-running.ts";
import type { Statement } from "../wire/statement-batch.ts";

/** Reads where the feed ends, by what sends statements in one transaction and returns the rows of the last. */
export async function feedEndBy(
  together: (statements: readonly Statement[]) => Promise<{ tx: string }[]>,
): Promise<string | undefined> {
  return (await together([ACTIVITY, { text: READ_FEED_END, values: [] }]))[0]?.tx;
}
