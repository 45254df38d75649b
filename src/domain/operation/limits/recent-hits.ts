import type { Transaction } from "../../../db/pool/database.ts";
import { batchOf, inBatches } from "../../sql/in-batches.ts";
import type { Service } from "../service/service.ts";

/** At most `most` hits (an integer) of a bucket in any `seconds`, which are a day or less. */
export interface RecentLimit {
  bucket: string;
  most: number;
  seconds: number;
}

// Hits of one bucket wait for each other until their transactions end.
const LOCK =
  "SELECT pg_advisory_xact_lock(hashtextextended('recent hit ' || bucket, 0)) FROM unnest($1::text[]) AS bucket";

// `instant` is the current time, not the transaction's, which may have waited. A bucket is full until the `most`-th
// newest hit leaves its window.
const TAKE = `
  WITH clock AS (SELECT moment() + (clock_timestamp() - now()) AS instant),
  asked AS (
    SELECT bucket, most, make_interval(secs => seconds) AS span
    FROM unnest($1::text[], $2::int[], $3::float8[]) AS given (bucket, most, seconds)
  ), filled AS (
    SELECT past.at + span - instant AS wait FROM clock, asked, LATERAL (
      SELECT at FROM recent_hit WHERE bucket = asked.bucket AND at > instant - span
      ORDER BY at DESC OFFSET most - 1 LIMIT 1) AS past
  ), taken AS (
    INSERT INTO recent_hit (bucket, at) SELECT bucket, instant FROM clock, asked WHERE NOT EXISTS (SELECT FROM filled)
  )
  SELECT floor(extract(epoch FROM max(wait)))::int + 1 AS wait FROM filled`;

/**
 * Counts a hit in all of these buckets, in PostgreSQL whatever counts the other limits, or in none if one is full: then
 * it returns the seconds after which the next hit fits. The hit counts only if the transaction commits.
 */
export async function takeRecent(
  tx: Transaction,
  limits: readonly RecentLimit[],
): Promise<number | undefined> {
  // in one order, so that two transactions cannot deadlock
  const sorted = limits.toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1));
  const buckets = sorted.map(({ bucket }) => bucket);
  await tx.query(LOCK, [buckets]);
  const [row] = await tx.query<{ wait: number | null }>(TAKE, [
    buckets,
    sorted.map(({ most }) => most),
    sorted.map(({ seconds }) => seconds),
  ]);
  return row?.wait ?? undefined;
}

const OVER = batchOf("recent_hit", "ctid", "at < moment() - interval '1 day'");

/** Deletes hits that no longer count, in batches. */
export async function sweepRecentHits({ db }: Service): Promise<void> {
  await inBatches(() => db.query(OVER));
}
