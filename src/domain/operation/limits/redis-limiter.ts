import { once } from "node:events";
import { Redis } from "ioredis";
import type { Logger } from "pino";
import { unlessRead } from "../../../core/within.ts";
import { type Ask, bucketOf, capacityOf, halved, type Limiter, type Standing } from "../service/limiter.ts";

// The same step as in the database, by the clock of Redis, which runs one script at a time.
const TAKE = `
local time = redis.call('TIME')
local at = time[1] * 1000000 + time[2]
local each, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local base = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), at), at + most)
if base + each > at + most then return { 0, base - at } end
base = base + each
redis.call('SET', KEYS[1], string.format('%.0f', base), 'PX', math.ceil((base - at) / 1000) + 1000)
return { 1, base - at }`;

const PROBE_MS = 250;
const START_MS = 1_000;

/**
 * Buckets in Redis. If it is down or does not answer in time, hits are counted in `instead` at half the limit,
 * starting with this call, until Redis answers a PING. The result is never unlimited and never an error.
 */
export class RedisLimiter implements Limiter {
  readonly #redis: Redis;
  readonly #patienceMs: number;
  readonly #instead: Limiter;
  readonly #log: Logger;
  #probes: NodeJS.Timeout | undefined;

  /** Waits at most one second for Redis to be ready. */
  static async open(
    { url, patienceMs }: { url: string; patienceMs: number },
    instead: Limiter,
    log: Logger,
  ): Promise<RedisLimiter> {
    const redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      retryStrategy: (times) => Math.min(100 * times, 1_000),
      connectTimeout: 1_000,
      // commands that timed out must still end
      commandTimeout: 2_000,
      socketTimeout: 5_000,
    });
    redis.on("error", (error) => log.debug({ err: error }, "redis"));
    const limiter = new RedisLimiter(redis, patienceMs, instead, log);
    const ready = once(redis, "ready", { signal: AbortSignal.timeout(START_MS) });
    await ready.catch(() => limiter.#leave(new Error("Redis was not available at startup")));
    return limiter;
  }

  private constructor(redis: Redis, patienceMs: number, instead: Limiter, log: Logger) {
    this.#redis = redis;
    this.#patienceMs = patienceMs;
    this.#instead = instead;
    this.#log = log;
  }

  get answers(): boolean {
    return this.#probes === undefined;
  }

  async take(ask: Ask): Promise<Standing> {
    if (this.#probes === undefined) {
      try {
        return await this.#ask(ask);
      } catch (error) {
        this.#leave(error);
      }
    }
    return await this.#instead.take(halved(ask));
  }

  close(): void {
    clearInterval(this.#probes);
    this.#redis.disconnect();
  }

  async #ask(ask: Ask): Promise<Standing> {
    const { limit } = ask;
    const key = `leadgate:limit:${bucketOf(ask)}`;
    const answer = await impatient(
      this.#redis.eval(TAKE, 1, key, limit.each, capacityOf(limit)),
      this.#patienceMs,
    );
    const [taken, left] = answer as [number, number];
    return { taken: taken === 1, left, limit };
  }

  #leave(error: unknown): void {
    if (this.#probes !== undefined) return;
    this.#log.warn(
      { err: error },
      "Redis does not respond; limits are enforced without it, at half their size",
    );
    this.#probes = setInterval(() => {
      impatient(this.#redis.ping(), this.#patienceMs).then(
        () => this.#return(),
        () => undefined,
      );
    }, PROBE_MS);
    this.#probes.unref();
  }

  #return(): void {
    if (this.#probes === undefined) return;
    clearInterval(this.#probes);
    this.#probes = undefined;
    this.#log.info("Redis responds again");
  }
}

/** Returns the answer if it arrives in time, else throws. */
async function impatient<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = unlessRead(patienceMs, () =>
    reject(new Error(`Redis did not answer within ${patienceMs} ms`)),
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    stop();
  }
}
