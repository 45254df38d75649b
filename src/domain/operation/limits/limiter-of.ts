import type { Logger } from "pino";
import type { Config } from "../../../config/config.ts";
import type { Database } from "../../../db/pool/database.ts";
import type { Limiter } from "../service/limiter.ts";
import type { Readiness } from "../service/readiness.ts";
import { MemoryLimiter } from "./memory-limiter.ts";
import { PostgresLimiter } from "./postgres-limiter.ts";

/** Returns where hits are counted: in Redis if configured, else in a shared database, else in this process. */
export async function limiterOf(
  { redisUrl, redisPatienceMs, databaseUrl }: Pick<Config, "redisUrl" | "redisPatienceMs" | "databaseUrl">,
  db: Database,
  readiness: Readiness,
  log: Logger,
): Promise<Limiter> {
  const without = databaseUrl === undefined ? new MemoryLimiter() : new PostgresLimiter(db, readiness);
  if (redisUrl === undefined) return without;
  // imported only if used, because it would slow down every start
  const { RedisLimiter } = await import("./redis-limiter.ts");
  return await RedisLimiter.open({ url: redisUrl, patienceMs: redisPatienceMs }, without, log);
}
