import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fingerprintOf, markOf } from "../../core/secret.ts";
import { NEEDS, refusalOf } from "../../db/migration/needs.ts";
import { LIVING } from "../../db/migration/older-instances.ts";
import { RELEASE } from "../../db/migration/release.ts";
import type { Queryable } from "../../db/pool/database.ts";
import type { Service } from "../operation/service/service.ts";
import { foreignKeys, nextSigningKey, SIGNING_KEY, signWith } from "./signing-key.ts";

// Others count if they were seen in the 30 seconds before this instance was last seen: after an outage of the database, which
// interrupts everyone, all get the time to return.
const RENEW = `
  WITH renewed AS (
    INSERT INTO instance (id, keys, release) VALUES ($1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET keys = excluded.keys, seen_at = moment()
  )
  SELECT state.current, (SELECT coalesce(jsonb_agg(keys), '[]') FROM instance
    WHERE id <> $1 AND seen_at > last.seen - ${LIVING}) AS others
  FROM (${SIGNING_KEY}) state,
    (SELECT coalesce((SELECT seen_at FROM instance WHERE id = $1), moment()) AS seen) last`;

const AGAIN_MS = 1_000;
const LEAVE_MS = 1_000;

/** A newer release has changed the database so that this one may not serve it any more. */
class Outdated extends Error {}

export interface Joined {
  /** Resolves with the reason when this process may not serve the database any more. */
  outdated: Promise<Error>;
  /** Makes the others forget this process. */
  leave(): Promise<void>;
}

interface Seen {
  /** The fingerprint of the key that signs. */
  current: string;
  /** The fingerprints that each other living instance knows. */
  others: string[][];
}

/**
 * Makes this process known as a running instance, and keeps the key that signs in front of `secretKeys`: the newest
 * one that all running instances know. Throws if the key that signs is not among ours, or the database needs a newer
 * release.
 */
export async function joinInstances(
  service: Service,
  newestFirst: readonly string[],
  renewMs: number,
): Promise<Joined> {
  const { db, log } = service;
  const { secretKeys } = service.config;
  const id = randomUUID();
  const own = newestFirst.map(fingerprintOf);
  const renewed = async (on: Queryable): Promise<Seen> => {
    const [seen] = await on.query<Seen>(RENEW, [id, own, RELEASE]);
    if (seen === undefined) throw new Error("the database has lost the fingerprint of its key");
    // A statement of its own: the one before may have waited for a contract migration, without seeing it.
    const refusal = refusalOf(await on.query<{ needs: string }>(NEEDS));
    if (refusal !== undefined) throw new Outdated(refusal.message);
    return seen;
  };
  // Under the lock, so that no instance that lacks the next key starts meanwhile.
  const settle = async (isStart: boolean): Promise<string> => {
    const { current, next } = await db.transaction(async (tx) => {
      await tx.query(`${SIGNING_KEY} FOR UPDATE`);
      const { current, others } = await renewed(tx);
      if (isStart && !own.includes(current)) throw foreignKeys(current);
      const next = nextSigningKey(current, [own, ...others]);
      const key = newestFirst.find((each) => fingerprintOf(each) === next);
      if (key !== undefined && next !== current)
        await tx.query("UPDATE service_state SET value = $1 WHERE key = 'secret_key'", [markOf(key)]);
      return { current, next };
    });
    if (next !== current) log.info({ key: next, former: current }, "another key signs from now on");
    return next;
  };
  const renew = async (): Promise<void> => {
    const { current, others } = await renewed(db);
    const next = nextSigningKey(current, [own, ...others]);
    signWith(secretKeys, next === current ? current : await settle(false));
  };

  signWith(secretKeys, await settle(true));
  const stop = new AbortController();
  const { promise: outdated, resolve: endWith } = Promise.withResolvers<Error>();
  const renewing = renewUntil(stop.signal, renewMs, renew, (error) => {
    if (error instanceof Outdated) {
      stop.abort();
      endWith(error);
    } else log.warn({ err: error }, "could not renew this instance's row; it will be retried");
  });
  const leave = async () => {
    stop.abort();
    const gone = async () => {
      await renewing;
      await db.query("DELETE FROM instance WHERE id = $1", [id]);
    };
    // If the database is away, the row stops counting without being deleted.
    await Promise.race([gone().catch(() => undefined), sleep(LEAVE_MS, undefined, { ref: false })]);
  };
  return { outdated, leave };
}

/** Repeats `renew` until it is stopped; of consecutive failures, only the first is reported. */
async function renewUntil(
  signal: AbortSignal,
  everyMs: number,
  renew: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (let isFailing = false; ; ) {
    const waitMs = isFailing ? Math.min(everyMs, AGAIN_MS) : everyMs;
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await renew();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
  }
}
