import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../src/config/config.ts";
import { createPerson } from "../../src/domain/accounts/people/create-person.ts";
import { createKey } from "../../src/domain/api-keys/create-key.ts";
import { MemoryLimiter } from "../../src/domain/operation/limits/memory-limiter.ts";
import { perform } from "../../src/domain/operation/operation.ts";
import type { Service } from "../../src/domain/operation/service/service.ts";
import { addProject } from "../../src/domain/projects/create-project.ts";
import { listen, openService } from "../../src/server/start.ts";
import { SECRET_KEY } from "../../test/processes/service-process.ts";
import { freePort } from "../../test/world.ts";
import { benchDatabase } from "./support/database.ts";
import { type Measured, measureLoad, median } from "./support/load.ts";

const AMPLE = { api: { perMinute: 600_000_000, burst: 10_000_000 } };
const PROGRAM = "redis-server";
const KEYS = 4;
const STORES = ["memory", "PostgreSQL", "Redis"] as const;

type Store = (typeof STORES)[number];

const say = (line: string) => void process.stdout.write(`${line}\n`);
const ms = (n: number) => `${n.toFixed(2)} ms`;

/**
 * Measures the cost of rate limits: the first page of an empty project with and without them, in turn, for
 * each counter backend.
 */
export async function limits(options: { seconds: number; rounds: number }): Promise<void> {
  await using database = await benchDatabase({ fresh: true, folder: "data/bench-limits" });
  await using redis = await startRedis();
  for (const store of STORES) {
    if (store === "Redis" && redis === undefined) {
      say("Redis: redis-server is not installed; not measured");
      continue;
    }
    const more = store === "Redis" && redis !== undefined ? { REDIS_URL: redis.url } : {};
    await using counted = await instance(database.url, store, { ...more, LIMITS: JSON.stringify(AMPLE) });
    await using uncounted = await instance(database.url, store, { LIMITS: JSON.stringify({ api: null }) });
    const rounds: { counted: Measured; uncounted: Measured }[] = [];
    for (let round = 0; round <= options.rounds; round += 1) {
      const figures = {
        counted: await load(counted, options.seconds),
        uncounted: await load(uncounted, options.seconds),
      };
      // the first round only warms up
      if (round > 0) rounds.push(figures);
    }
    report(store, rounds);
    if (store === "Redis" && redis !== undefined) await hang(counted, redis);
  }
}

interface Instance extends AsyncDisposable {
  url: string;
  keys: string[];
}

async function instance(databaseUrl: string, store: Store, more: Record<string, string>): Promise<Instance> {
  const port = await freePort();
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    AUTH_URL: `http://localhost:${await freePort()}`,
    BASE_URL: `http://localhost:${port}`,
    SECRET_KEY,
    LOG_LEVEL: "fatal",
    ROLE: "api",
    ...more,
  });
  const opened = await openService(config);
  const service: Service =
    store === "memory" ? { ...opened.service, limiter: new MemoryLimiter() } : opened.service;
  const listening = await listen(service, config);
  const email = `bench-${port}-${Date.now()}@example.org`;
  const owner = await createPerson(service.db, {
    name: "Bench",
    email,
    password: "correct horse bench",
    verified: true,
  });
  const projectId = await service.db.transaction((tx) =>
    addProject(service, tx, { name: "Bench", ownerId: owner.id }),
  );
  const keys: string[] = [];
  for (let i = 0; i < KEYS; i += 1) {
    const asked = { name: "bench", permissions: ["leads:read"] };
    keys.push((await perform(service, createKey, { personId: null, projectId }, asked)).key);
  }
  return {
    url: `${config.baseUrl}/api/leads/query/?${projectId}`,
    keys,
    async [Symbol.asyncDispose]() {
      await listening.stop();
      await opened.close();
    },
  };
}

const bodyOf = (url: string) => JSON.stringify({ project_id: url.split("?")[1], limit: 1, total: "none" });

/** Loads the service with each key over two connections. */
async function load({ url, keys }: Instance, seconds: number): Promise<Measured> {
  const measured = await Promise.all(
    keys.map((key) => measureLoad({ url, key, bodies: [bodyOf(url)], connections: 2, seconds })),
  );
  const failed = measured.reduce((sum, one) => sum + one.failed, 0);
  if (failed > 0) throw new Error(`${failed} calls failed`);
  const middle = (pick: (one: Measured) => number) => median(measured.map(pick));
  const perSecond = measured.reduce((sum, one) => sum + one.perSecond, 0);
  return { perSecond, p50: middle(({ p50 }) => p50), p99: middle(({ p99 }) => p99), failed };
}

function report(store: Store, rounds: readonly { counted: Measured; uncounted: Measured }[]): void {
  const of = (which: "counted" | "uncounted", what: keyof Measured) =>
    median(rounds.map((round) => round[which][what]));
  const shown = (which: "counted" | "uncounted") =>
    `${which} ${Math.round(of(which, "perSecond"))}/s (p50 ${ms(of(which, "p50"))}, p99 ${ms(of(which, "p99"))})`;
  const ratio = of("counted", "perSecond") / of("uncounted", "perSecond");
  say(`${store}: ${shown("counted")}; ${shown("uncounted")}; ratio ${ratio.toFixed(2)}`);
}

/** Measures how much longer calls take when Redis stops answering: the first call, and later ones. */
async function hang({ url, keys }: Instance, redis: OwnRedis): Promise<void> {
  const call = async () => {
    const began = performance.now();
    const headers = { Authorization: `Bearer ${keys[0]}`, "Content-Type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body: bodyOf(url) });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`a call was answered ${answer.status}`);
    return performance.now() - began;
  };
  const calls = async (many: number) => {
    const times: number[] = [];
    for (let i = 0; i < many; i += 1) times.push(await call());
    return times;
  };
  const before = median(await calls(50));
  redis.server.kill("SIGSTOP");
  const first = await call();
  const after = median(await calls(50));
  redis.server.kill("SIGCONT");
  say(`Redis hung: before ${ms(before)}, the first call ${ms(first)}, the next fifty ${ms(after)} (medians)`);
}

interface OwnRedis extends AsyncDisposable {
  url: string;
  server: ChildProcess;
}

async function startRedis(): Promise<OwnRedis | undefined> {
  if (spawnSync(PROGRAM, ["--version"]).status !== 0) return undefined;
  const port = await freePort();
  const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn(PROGRAM, flags, { stdio: "ignore" });
  await sleep(500);
  return {
    url: `redis://127.0.0.1:${port}`,
    server,
    async [Symbol.asyncDispose]() {
      server.kill("SIGKILL");
    },
  };
}
