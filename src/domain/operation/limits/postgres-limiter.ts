import type { Database } from "../../../db/pool/database.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import { type Ask, bucketOf, capacityOf, type Limiter, type Standing } from "../service/limiter.ts";
import type { Service } from "../service/service.ts";

// One upsert: hits on the same bucket wait for each other, and each reads the clock after the wait. A value
// beyond an empty bucket (clock set back, limit lowered) counts as empty.
const TAKE = `
  INSERT INTO leadgate.limit_turn AS hit (bucket, until, taken) VALUES ($1, leadgate.micros() + $2::bigint, true)
  ON CONFLICT (bucket) DO UPDATE SET (until, taken) = (
    SELECT CASE WHEN fits THEN base + $2::bigint ELSE base END, fits
    FROM (SELECT base, base + $2::bigint <= at + $3::bigint AS fits
      FROM (SELECT at, least(greatest(hit.until, at), at + $3::bigint) AS base
        FROM (SELECT leadgate.micros() AS at OFFSET 0) AS clock OFFSET 0) AS bucket OFFSET 0) AS step)
  RETURNING taken, until - leadgate.micros() AS left,
    CASE WHEN taken THEN set_config('leadgate.pass', $4, false) END AS pass`;

/** Buckets in the database, shared by all instances. The rate check can be part of another statement batch. */
export class PostgresLimiter implements Limiter {
  readonly #db: Database;
  readonly along = { statement, standing };

  constructor(db: Database) {
    this.#db = db;
  }

  async take(ask: Ask): Promise<Standing> {
    const [row] = await this.#db.together<Record<string, unknown>>([statement(ask, "")]);
    return standing(ask, row);
  }

  close(): void {}
}

function statement(ask: Ask, pass: string): Statement {
  return { text: TAKE, values: [bucketOf(ask), ask.limit.each, capacityOf(ask.limit), pass] };
}

function standing({ limit }: Ask, row: Record<string, unknown> | undefined): Standing {
  return { taken: row?.taken === true, left: Math.max(0, Number(row?.left ?? 0)), limit };
}

/** Deletes full buckets, up to 20,000 at a time. */
export async function sweepHits(service: Service): Promise<void> {
  await service.db.query(
    `DELETE FROM limit_turn WHERE bucket IN
       (SELECT bucket FROM limit_turn WHERE until < micros() LIMIT 20000 FOR UPDATE SKIP LOCKED)`,
  );
}
