import type pg from "pg";
import { type Row, type Statement, StatementChain } from "./statement-batch.ts";

/**
 * For statements that read a project's most, in their own transaction. Connections begin without: starting workers
 * takes longer than a page (40 to 52 ms against 6 to 12).
 */
export const PARALLEL: Statement = {
  text: "SELECT set_config('max_parallel_workers_per_gather', '2', true)",
  values: [],
};

/** Statements that are one transaction each. */
export type Chains = readonly (readonly Statement[])[];

/** What a chain of statements brought: the results until the error, if there was one. */
export interface Sent {
  error: Error | undefined;
  results: Row[][];
}

/** What each of the chains brought; none of these promises is ever rejected. */
export type SentEach<C extends Chains> = { [I in keyof C]: Promise<Sent> };

/** Sends chains in one message down one connection; one that fails does not fail the next. */
export function send<const C extends Chains>(client: pg.PoolClient, chains: C): SentEach<C> {
  const enqueue = (chain: StatementChain) => void client.query(chain);
  let chain: StatementChain | undefined;
  const sent = chains.toReversed().map((statements) => {
    const { promise, resolve } = Promise.withResolvers<Sent>();
    const behind = chain === undefined ? undefined : { chain, enqueue };
    chain = new StatementChain(statements, (error, results) => resolve({ error, results }), behind);
    return promise;
  });
  if (chain !== undefined) enqueue(chain);
  return sent.reverse() as SentEach<C>;
}
