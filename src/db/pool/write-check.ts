import pg from "pg";
import { unlessRead } from "../../core/within.ts";
import { type WriteFault, writeFaultOf } from "../../core/write-fault.ts";

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
const IS_READ_ONLY = "SELECT current_setting('transaction_read_only') = 'on' AS read_only";

/**
 * Fills a temporary file of a megabyte on the disk of the tables. A full disk still takes changes that fit into existing
 * pages, so a small write would not notice. Nothing is left: no row, no log record, no file.
 */
const NEEDS_SPACE = `SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true);
  WITH page AS MATERIALIZED (SELECT repeat('x', 8000) AS text FROM generate_series(1, 128)) SELECT count(text) FROM page`;

/** PostgreSQL's code for a `temp_file_limit` that is smaller than the file. */
const TOO_SMALL_A_LIMIT = "53400";

/** A check on its way. */
interface Asked {
  /** Why the database takes no changes, if so. Rejected if it does not answer in time. */
  answer: Promise<WriteFault | undefined>;
  /** Resolves when nothing of the check is left to wait for. */
  over: Promise<void>;
}

/**
 * Asks over a connection of the pool whether the database takes changes; with `needsSpace` also whether its disk has space.
 * A connection that does not answer within `limitMs` is closed.
 */
export function askWrites(pool: pg.Pool, needsSpace: boolean, limitMs: number): Asked {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let held: pg.PoolClient | undefined;
  let isLate = false;
  const release = (broken: boolean) => {
    held?.release(broken);
    held = undefined;
  };
  const stop = unlessRead(limitMs, () => {
    isLate = true;
    reject(new Error(`the database did not answer within ${limitMs} ms`));
    release(true);
  });
  const asking = async () => {
    held = await pool.connect();
    if (isLate) {
      release(false);
      return undefined;
    }
    try {
      const fault = await faultOn(held, needsSpace);
      release(false);
      return fault;
    } catch (error) {
      release(!(error instanceof pg.DatabaseError));
      throw error;
    }
  };
  const asked = asking().finally(stop);
  return {
    answer: Promise.race([asked, late]),
    over: asked.then(
      () => undefined,
      () => undefined,
    ),
  };
}

async function faultOn(client: pg.PoolClient, needsSpace: boolean): Promise<WriteFault | undefined> {
  try {
    // Several statements in one message are one transaction, whose end undoes the settings.
    const [first] = await rowsOf(client, needsSpace ? `${IS_READ_ONLY};${NEEDS_SPACE}` : IS_READ_ONLY);
    return first?.read_only === true ? "read_only" : undefined;
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? "") : "";
    if (code === TOO_SMALL_A_LIMIT) return await faultOn(client, false);
    const fault = writeFaultOf(code);
    if (fault === undefined) throw error;
    return fault;
  }
}

/** Returns the rows of a message's first statement. */
async function rowsOf(client: pg.PoolClient, text: string): Promise<Record<string, unknown>[]> {
  // pg returns a list for several statements, which its types do not say.
  const results: unknown = await client.query(text);
  return ((Array.isArray(results) ? results[0] : results) as pg.QueryResult).rows;
}
