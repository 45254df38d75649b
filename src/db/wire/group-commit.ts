import type pg from "pg";
import { type Chains, type SentEach, send } from "./send.ts";
import type { Statement } from "./statement-batch.ts";

/**
 * Lets a transaction commit without waiting for the disk. Those behind it on its connection do not wait long for it
 * either: a row that somebody holds for seconds is a refusal (55P03).
 */
const LAZY: Statement = {
  name: "lg_lazy",
  text: "SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '3s', true)",
  values: [],
};

/** A transaction that writes, and so waits until the log is on the disk up to its own end (PostgreSQL 28.4). */
const FLUSH: Statement = {
  name: "lg_flush",
  text: "SELECT FROM pg_logical_emit_message(true, 'leadgate', '')",
  values: [],
};

/**
 * Sends chains that may commit in one message, as a group commit: each commits without waiting for the disk, a last
 * transaction waits for it, and none of them is answered before that one is through.
 */
export function sendAsGroup<const C extends Chains>(client: pg.PoolClient, chains: C): SentEach<C> {
  const sent = send(client, [...chains.map((chain) => [LAZY, ...chain]), [FLUSH]]);
  const flushed = sent.at(-1);
  return sent.slice(0, -1).map(async (one) => {
    const { error, results } = await one;
    return { error: error ?? (await flushed)?.error, results: results.slice(1) };
  }) as SentEach<C>;
}
