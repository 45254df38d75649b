import { Refusal } from "../../../core/refusal.ts";
import { hashOf } from "../../../core/secret.ts";
import { originOf } from "../../operation/limits/origin-address.ts";
import type { Service } from "../../operation/service/service.ts";
import { inBatches } from "../../sql/in-batches.ts";
import { deviceOf } from "../sessions/known-device.ts";

/** Where failures are counted. It allows `times` the configured rate; a success empties it if it is `own`. */
interface Bucket {
  name: string;
  times: number;
  own: boolean;
}

/** An attempt, counted as failed before it is checked, so that concurrent guesses never exceed the burst. */
export interface Attempt {
  /** The place for the check of the password, if one was asked for. */
  place: Disposable | undefined;
  /** The attempt succeeded: its count is undone, and buckets of this caller alone are emptied. */
  succeeded(): Promise<void>;
  /** The attempt was not checked (the service was busy): its count is undone. */
  undone(): Promise<void>;
}

const own = (name: string): Bucket => ({ name, times: 1, own: true });

/**
 * The buckets of a sign-in. A browser that has signed in to the account before has its own, so that nobody else can
 * lock the owner out. All others share three: this address and account, this address, and this account.
 */
export function bucketsOf(
  service: Service,
  attempt: { account: string; personId: string | undefined; device: string | undefined },
): Bucket[] {
  const account = hashOf(attempt.account).toString("hex");
  const known = deviceOf(service, attempt.device, attempt.personId);
  if (known !== undefined) return [own(`device ${known} ${account}`)];
  const origin = originOf(service.origin?.address ?? "");
  return [
    own(`pair ${account} ${origin}`),
    { name: `from ${origin}`, times: 5, own: false },
    { name: `at ${account}`, times: 10, own: false },
  ];
}

/** The bucket for secrets of a known account: codes of a second factor and proofs of a change. */
export function bucketOfPerson(
  service: Service,
  what: "code" | "proof",
  about: { personId: string; device: string | undefined },
): Bucket {
  const known = deviceOf(service, about.device, about.personId);
  return own(`${what} ${about.personId}${known === undefined ? "" : ` ${known}`}`);
}

// A bucket is full when its counted attempts last longer than the burst. Rows are locked in order, so that two
// attempts cannot deadlock; the millisecond allows for rounding.
const TAKE = `
  INSERT INTO sign_in_failure (bucket, until)
  SELECT bucket, moment() + make_interval(secs => each) FROM unnest($1::text[], $2::float8[]) AS asked (bucket, each)
  ORDER BY bucket
  ON CONFLICT (bucket) DO UPDATE
    SET until = greatest(sign_in_failure.until, moment()) + (excluded.until - moment())
    WHERE greatest(sign_in_failure.until, moment()) + (excluded.until - moment())
      <= moment() + make_interval(secs => $3) + interval '1 ms'
  RETURNING bucket`;
const WAIT = `
  SELECT ceil(max(extract(epoch FROM until - moment()) + each - $3))::int AS seconds
  FROM sign_in_failure JOIN unnest($1::text[], $2::float8[]) AS asked (bucket, each) USING (bucket)`;

/**
 * Counts an attempt in all of its buckets, or refuses it and counts it in none, so that refused attempts never
 * lengthen the wait. `takePlace` is called before the count is committed: an attempt that it refuses was never counted.
 */
export async function startAttempt(
  service: Service,
  buckets: readonly Bucket[],
  takePlace?: () => Disposable,
): Promise<Attempt> {
  const { signInFailures } = service.config;
  if (signInFailures === null)
    return { place: takePlace?.(), succeeded: async () => undefined, undone: async () => undefined };
  // at most an hour for one attempt: a rate of zero would lock everybody out for good
  const each = 60 / Math.max(signInFailures.perMinute, 1 / 60);
  const values = [
    buckets.map(({ name }) => name),
    buckets.map(({ times }) => each / times),
    each * Math.max(signInFailures.burst, 1),
  ];
  let place: Disposable | undefined;
  const counted = service.db.transaction(async (tx) => {
    const taken = await tx.query(TAKE, values);
    if (taken.length === buckets.length) {
      place ??= takePlace?.();
      return;
    }
    const [wait] = await tx.query<{ seconds: number | null }>(WAIT, values);
    throw new Refusal("too_many", "too_many_attempts", "Too many failed attempts. Wait a moment.", {
      retryAfter: Math.max(1, wait?.seconds ?? 1),
    });
  });
  await counted.catch((error: unknown) => {
    place?.[Symbol.dispose]();
    throw error;
  });
  const giveBack = async (emptied: boolean) => {
    for (const { name, times, own } of buckets) {
      await service.db.query(
        `UPDATE sign_in_failure SET until = CASE WHEN $3 THEN moment() ELSE until - make_interval(secs => $2) END
         WHERE bucket = $1`,
        [name, each / times, emptied && own],
      );
    }
  };
  return { place, succeeded: () => giveBack(true), undone: () => giveBack(false) };
}

/** Skips what an attempt has locked: it may lock others of the batch. */
const OVER = `WITH batch AS (
    DELETE FROM sign_in_failure WHERE bucket IN
      (SELECT bucket FROM sign_in_failure WHERE until < moment() LIMIT 1000 FOR UPDATE SKIP LOCKED) RETURNING 1
  ) SELECT count(*)::integer AS gone FROM batch`;

/** Deletes attempts that no longer count, in batches. */
export async function sweepSignInAttempts({ db }: Service): Promise<void> {
  await inBatches(() => db.query(OVER));
}
