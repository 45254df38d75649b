import type pg from "pg";
import { isOlder } from "./release.ts";

/** How long an instance counts as running after it was last seen. */
export const LIVING = "interval '30 seconds'";

/** Which releases the running instances are; null is one from before migration 0062. */
export type Releases = readonly (string | null)[];

const RUNNING = `SELECT release FROM leadgate.instance WHERE seen_at > leadgate.moment() - ${LIVING}`;

/** Instances lock this row when they start, so none starts until the transaction has ended. */
const NO_STARTS = "SELECT FROM leadgate.service_state WHERE key = 'secret_key' FOR UPDATE";

/** Returns the releases of running instances that are older than `needs`, and lets none start until the transaction ends. */
export async function olderInstances(client: pg.Client, needs: string): Promise<Releases> {
  await client.query(NO_STARTS);
  const { rows } = await client.query<{ release: string | null }>(RUNNING);
  return olderThan(
    needs,
    rows.map(({ release }) => release),
  );
}

/** How many instances run. */
export async function countInstances(client: pg.ClientBase): Promise<number> {
  return (await client.query(RUNNING)).rows.length;
}

export const olderThan = (needs: string, running: Releases): Releases =>
  running.filter((release) => release === null || isOlder(release, needs));
