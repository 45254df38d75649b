import { writeFaultOf } from "../../../core/write-fault.ts";
import type { Database } from "../../../db/pool/database.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import { inBatches } from "../../sql/in-batches.ts";
import { type Ask, bucketOf, capacityOf, halved, type Limiter, type Standing } from "../service/limiter.ts";
import type { Readiness } from "../service/readiness.ts";
import type { Service } from "../service/service.ts";
import { MemoryLimiter } from "./memory-limiter.ts";

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

const ALONG = { statement, standing };

/**
 * Buckets in the database, shared by all instances. The rate check can be part of another statement batch. While the
 * database takes no changes, hits are counted in memory at half the limit, so that reads are still served.
 */
export class PostgresLimiter implements Limiter {
  readonly #db: Database;
  readonly #readiness: Readiness;
  readonly #instead = new MemoryLimiter();

  constructor(db: Database, readiness: Readiness) {
    this.#db = db;
    this.#readiness = readiness;
  }

  get along(): Limiter["along"] {
    return this.#readiness.state.fault === undefined ? ALONG : undefined;
  }

  async take(ask: Ask): Promise<Standing> {
    if (this.along === undefined) return await this.#instead.take(halved(ask));
    try {
      const [row] = await this.#db.together<Record<string, unknown>>([statement(ask, "")]);
      return standing(ask, row);
    } catch (error) {
      const { code = "" } = error as { code?: string };
      if (writeFaultOf(code) === undefined) throw error;
      return await this.#instead.take(halved(ask));
    }
  }

  close(): void {
    this.#instead.close();
  }
}

function statement(ask: Ask, pass: string): Statement {
  return { text: TAKE, values: [bucketOf(ask), ask.limit.each, capacityOf(ask.limit), pass] };
}

function standing({ limit }: Ask, row: Record<string, unknown> | undefined): Standing {
  return { taken: row?.taken === true, left: Math.max(0, Number(row?.left ?? 0)), limit };
}

/** Large batches, because each one reads the table: an index by time would cost every hit. */
const BATCH = 20_000;
const FULL = `WITH batch AS (
    DELETE FROM limit_turn WHERE bucket IN
      (SELECT bucket FROM limit_turn WHERE until < micros() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1
  ) SELECT count(*)::integer AS gone FROM batch`;

/** Deletes full buckets in batches. */
export async function sweepHits({ db }: Service): Promise<void> {
  await inBatches(() => db.query(FULL), BATCH);
}
