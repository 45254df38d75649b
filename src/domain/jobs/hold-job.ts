import type { Service } from "../operation/service/service.ts";

const TRY = "SELECT pg_try_advisory_lock(hashtextextended($1, 7237003)) AS held";

/**
 * Does work that only one process at a time may do for this name; false if another one is doing it. The lock
 * belongs to the connection, so PostgreSQL releases it when the process dies, even by kill -9.
 */
export async function holdJob({ db }: Service, name: string, work: () => Promise<void>): Promise<boolean> {
  const client = await db.pool.connect();
  let broken = true;
  try {
    const { rows } = await client.query(TRY, [name]);
    const held = rows[0]?.held === true;
    if (held) {
      await work();
      await client.query("SELECT pg_advisory_unlock(hashtextextended($1, 7237003))", [name]);
    }
    broken = false;
    return held;
  } finally {
    client.release(broken);
  }
}
