import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { Chance } from "../../test/chaos/random.ts";
import { type ServiceProcess, startService } from "../../test/processes/service-process.ts";
import { refuseNoWork } from "./stability/work.ts";
import { type BenchDatabase, benchDatabase } from "./support/database.ts";
import { median } from "./support/load.ts";
import { cpuSeconds } from "./support/processor.ts";
import { profiled, shareOf } from "./support/profile-share.ts";
import { patches, prepareWrites, type WriteRequest } from "./writes/write-data.ts";
import { measureWrites, type WriteLoad, type WritesMeasured } from "./writes/write-load.ts";

const CONNECTIONS = 8;
/** More than a round can send. */
const PER_SECOND = 8_000;
const GOAL = 1.03;
/** A service runs for days: what it takes until its code is compiled is no part of the shares. */
const WARM_SECONDS = 15;
/** How often all processes are started again. */
const GENERATIONS = 5;

const say = (line: string) => void process.stdout.write(`${line}\n`);

interface Options {
  fresh: boolean;
  /** Prints the shares only. */
  quick: boolean;
  seconds: number;
  rounds: number;
  rows: number;
  seed: number;
}

const OFF = { ACCESS_LOG: "off", SLOW_LOG_MS: "0" };

/**
 * The settings that are compared with the first ones, which have nothing switched on. The second ones are the same: how much they
 * differ is what cannot be told apart. `goal`: whether it must stay within 3 %.
 */
const variantsOf = (collector: string): { name: string; env: Record<string, string>; goal: boolean }[] => [
  { name: "nothing", env: OFF, goal: false },
  { name: "nothing again", env: OFF, goal: false },
  { name: "logs", env: {}, goal: true },
  { name: "traces", env: { ...OFF, OTEL_EXPORTER_OTLP_ENDPOINT: collector }, goal: true },
  { name: "both", env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector }, goal: true },
  {
    name: "both, every trace exported",
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER: "always_on" },
    goal: false,
  },
];

/** One lead by id, a page by a random filter, and an update, in random order. */
function mixed(known: Parameters<typeof patches>[0], chance: Chance, count: number): WriteRequest[] {
  const updates = patches(known, chance, Math.ceil(count / 3));
  return updates.flatMap((update) => {
    const { id } = chance.of(known);
    const lead: WriteRequest = { method: "GET", path: `/api/v1/leads/${id}`, body: "" };
    const filter = { field: "score", op: "gte", value: chance.between(0, 100) };
    const page: WriteRequest = {
      ...{ method: "POST", path: "/api/v1/leads/search" },
      body: JSON.stringify({ filter: { and: [filter] }, limit: chance.between(5, 20) }),
    };
    return chance.isOneIn(2) ? [lead, page, update] : [update, lead, page];
  });
}

/** What a process did in all of its rounds. */
interface Sum {
  /** Seconds of processor time of the service's process. */
  processor: number;
  calls: number;
}

/** Where requests are sent, and what they are about. */
interface Ground {
  database: BenchDatabase;
  projectId: string;
  known: Parameters<typeof patches>[0];
  /** The URL of a collector of traces. */
  collector: string;
}

/** Prints what observation costs: its share of a process's time; then, unless `quick`, requests with and without it. */
export async function observe(options: Options): Promise<void> {
  const { seconds, rounds } = options;
  for (const [name, value] of Object.entries({ seconds, rounds }))
    refuseNoWork(`--${name}`, value, name !== "seconds");
  const rows = Math.min(options.rows, 20_000);
  await using database = await benchDatabase({ ...options, folder: "data/bench-observe" });
  const { projectId, known } = await prepareWrites(database, rows, say);
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const collector = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ground = { database, projectId, known, collector };
  say(`${rows.toLocaleString("en")} leads, ${CONNECTIONS} connections, seed ${options.seed}`);
  try {
    await shares(ground, options);
    if (!options.quick) await compare(ground, options);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Prints the share of observation in the busy time of one process, by its CPU profile: both are of the same time, so noise does not matter. */
async function shares({ database, projectId, known, collector }: Ground, options: Options): Promise<void> {
  const lasting = WARM_SECONDS + 4 * options.seconds;
  for (const [name, env] of [
    ["logs", {}],
    ["logs and traces", { OTEL_EXPORTER_OTLP_ENDPOINT: collector }],
  ] as const) {
    using profile = profiled();
    {
      await using service = await startService(database.url, { LOG_LEVEL: "info", ...env, ...profile.env });
      const port = Number(new URL(service.baseUrl).port);
      const key = await keyFrom(service, projectId);
      const requests = mixed(known, new Chance(options.seed), PER_SECOND * lasting);
      await sent({ port, key, requests, seconds: lasting, connections: CONNECTIONS });
    }
    const share = shareOf(profile.read(), WARM_SECONDS, observes);
    const ratio = 1 / (1 - share);
    say(
      `${name}: ${(share * 100).toFixed(2)} % of the busy time of a process, ratio ${ratio.toFixed(3)}${verdictOn(ratio)}`,
    );
  }
}

const OBSERVING =
  /\/src\/observe\/(log|trace)\/|\/request-(account|trace)\.ts$|\/pool\/recorded\.ts$|\/node_modules\/pino\//;

/** Whether a function observes requests. Fastify makes a logger for each request, whether anything is logged or not. */
const observes = (name: string, file: string): boolean =>
  OBSERVING.test(file) && name !== "child" && name !== "asChindings";

/**
 * Compares the processor time of a request: the same requests, in short rounds that alternate between processes on one database.
 * Processes with the same settings differ, too, so each has several generations; prints the median of the generations' ratios, with
 * the lowest and the highest, and says whether the goal is met.
 */
async function compare({ database, projectId, known, collector }: Ground, options: Options): Promise<void> {
  const { seconds, rounds, seed } = options;
  const variants = variantsOf(collector);
  say(`${GENERATIONS} generations of ${rounds} rounds of ${seconds} s`);
  const generations: Sum[][] = [];
  for (let generation = 0; generation < GENERATIONS; generation += 1) {
    const services: ServiceProcess[] = [];
    try {
      for (const { env } of variants)
        services.push(await startService(database.url, { LOG_LEVEL: "info", ...env }));
      const key = await keyFrom(services[0], projectId);
      const sums = services.map((): Sum => ({ processor: 0, calls: 0 }));
      for (let round = 0; round <= rounds; round += 1)
        for (let turn = 0; turn < services.length; turn += 1) {
          // Each round starts with another one, so that none is always behind the same.
          const which = (turn + round + generation) % services.length;
          const [service, sum] = [services[which], sums[which]];
          if (service === undefined || sum === undefined) continue;
          const requests = mixed(known, new Chance(seed + 100 * generation + round), PER_SECOND * seconds);
          const port = Number(new URL(service.baseUrl).port);
          const before = cpuSeconds(service.pid);
          const load = await sent({ port, key, requests, seconds, connections: CONNECTIONS });
          // The first round warms up.
          if (round === 0) continue;
          sum.processor += cpuSeconds(service.pid) - before;
          sum.calls += load.calls;
        }
      generations.push(sums);
    } finally {
      for (const service of services) await service[Symbol.asyncDispose]();
    }
  }
  for (const [i, { name, goal }] of variants.entries())
    report(
      name,
      goal,
      generations.map((sums) => each(sums[i])),
      generations.map((sums) => each(sums[0])),
    );
}

const keyFrom = async (service: ServiceProcess | undefined, projectId: string): Promise<string> => {
  const words = ["--project", projectId, "--name", "bench", "--permissions", "leads:read,leads:write"];
  return String((await service?.command("key", "create", ...words))?.key);
};

/** Sends the requests, of which none may be refused. */
async function sent(load: WriteLoad): Promise<WritesMeasured> {
  const measured = await measureWrites(load);
  if (measured.failed > 0) throw new Error(`${measured.failed} requests were refused`);
  return measured;
}

const verdictOn = (ratio: number): string => `; ${ratio <= GOAL ? "within" : "NOT within"} 3 %`;

/** Microseconds of a request. */
const each = (sum: Sum = { processor: 0, calls: 1 }): number => (sum.processor / sum.calls) * 1e6;

function report(name: string, goal: boolean, own: readonly number[], without: readonly number[]): void {
  const ratios = own.map((one, i) => one / (without[i] ?? one)).sort((a, b) => a - b);
  const ratio = median(ratios);
  const verdict = goal ? verdictOn(ratio) : "";
  const [lowest = 0, highest = 0] = [ratios[0], ratios.at(-1)];
  say(
    `${name}: ${median(own).toFixed(0)} µs of processor a request, ratio ${ratio.toFixed(3)} (${lowest.toFixed(3)} to ${highest.toFixed(3)})${verdict}`,
  );
}
