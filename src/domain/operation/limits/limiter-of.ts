import type { Logger } from "pino";
import type { Config } from "../../../config/config.ts";
import type { Database } from "../../../db/pool/database.ts";
import type { Limiter } from "../service/limiter.ts";
import { MemoryLimiter } from "./memory-limiter.ts";
import { PostgresLimiter } from "./postgres-limiter.ts";

/** Where turns are counted: in Redis where there is one, in a database that instances share, else in this process. */
export async function limiterOf(
  { redisUrl, databaseUrl }: Pick<Config, "redisUrl" | "databaseUrl">,
  db: Database,
  log: Logger,
): Promise<Limiter> {
  const without = databaseUrl === undefined ? new MemoryLimiter() : new PostgresLimiter(db);
  if (redisUrl === undefined) return without;
  // read only where it is used: it would make every start slower
  const { RedisLimiter } = await import("./redis-limiter.ts");
  return await RedisLimiter.open(redisUrl, without, log);
}
