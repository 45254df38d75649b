import pg from "pg";
import { unlessRead } from "../../core/within.ts";
import { type WriteFault, writeFaultOf } from "../../core/write-fault.ts";
import type { Connections } from "./connections.ts";

/** Calls `onFault` for each statement on the pool's later connections that fails because the database takes no changes. */
export function watchWrites(pool: pg.Pool, onFault: (fault: WriteFault) => void): void {
  pool.on("connect", ({ connection }) => {
    // pg emits each error of the server here before it goes to its query.
    connection.on("errorMessage", ({ code = "" }: { code?: string }) => {
      const fault = writeFaultOf(code);
      if (fault !== undefined) onFault(fault);
    });
  });
}

// A standby counts as read-only, too.
const IS_READ_ONLY = `SELECT current_setting('transaction_read_only') = 'on' AS read_only,
  extract(epoch FROM clock_timestamp())::float8 AS clock`;

/**
 * Fills a temporary file of a megabyte on the disk of the tables. A full disk still takes changes that fit into existing
 * pages, so a small write would not notice. Nothing is left: no row, no log record, no file.
 */
const NEEDS_SPACE = `SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true);
  WITH page AS MATERIALIZED (SELECT repeat('x', 8000) AS text FROM generate_series(1, 128)) SELECT count(text) FROM page`;

/** PostgreSQL's code for a `temp_file_limit` that is smaller than the file. */
const TOO_SMALL_A_LIMIT = "53400";

/** What the database answered. */
interface Answer {
  /** Why it takes no changes, if so. */
  fault: WriteFault | undefined;
  /** The seconds by which its clock is ahead of this process's, as seen in the middle of the round trip; undefined after a fault. */
  aheadSeconds: number | undefined;
  /** How long the answer to a statement took that is no work; undefined after a fault. */
  roundTripSeconds: number | undefined;
}

/** A check on its way. */
interface Asked {
  /** Rejected if the database does not answer in time. */
  answer: Promise<Answer>;
  /** Resolves when nothing of the check is left to wait for; with true if the database has answered, however late. */
  over: Promise<boolean>;
}

/**
 * Asks over a connection of the pool whether the database takes changes; with `needsSpace` also whether its disk has space.
 * A connection that does not answer within `limitMs` is closed after three times as long: its answer may come late.
 */
export function askWrites(connections: Connections, needsSpace: boolean, limitMs: number): Asked {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let held: pg.PoolClient | undefined;
  let isOver = false;
  const release = (broken: boolean) => {
    held?.release(broken);
    held = undefined;
  };
  const stops = [
    unlessRead(limitMs, () => {
      reject(new Error(`the database did not answer within ${limitMs} ms`));
    }),
    unlessRead(3 * limitMs, () => {
      isOver = true;
      release(true);
    }),
  ];
  const asking = async () => {
    held = await connections.connect();
    try {
      if (isOver) throw new Error("there was no connection in time");
      const answer = await answerOn(held, needsSpace);
      release(false);
      return answer;
    } catch (error) {
      release(!isOver && !(error instanceof pg.DatabaseError));
      throw error;
    }
  };
  const asked = asking().finally(() => {
    for (const stop of stops) stop();
  });
  return {
    answer: Promise.race([asked, late]),
    over: asked.then(
      () => true,
      () => false,
    ),
  };
}

async function answerOn(client: pg.PoolClient, needsSpace: boolean): Promise<Answer> {
  try {
    const sent = Date.now();
    const since = performance.now();
    const [first] = (await client.query<{ read_only: boolean; clock: number }>(IS_READ_ONLY)).rows;
    const middle = (sent + Date.now()) / 2_000;
    const roundTripSeconds = (performance.now() - since) / 1_000;
    // Several statements in one message are one transaction, whose end undoes the settings.
    if (needsSpace) await client.query(NEEDS_SPACE);
    return {
      roundTripSeconds,
      fault: first?.read_only === true ? "read_only" : undefined,
      aheadSeconds: first === undefined ? undefined : first.clock - middle,
    };
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? "") : "";
    if (code === TOO_SMALL_A_LIMIT) return await answerOn(client, false);
    const fault = writeFaultOf(code);
    if (fault === undefined) throw error;
    return { fault, aheadSeconds: undefined, roundTripSeconds: undefined };
  }
}
