import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { Chance } from "./stability/chaos/random.ts";
import { refuseNoWork } from "./stability/work.ts";
import { benchDatabase } from "./support/database.ts";
import { median } from "./support/load.ts";
import { cpuSeconds } from "./support/processor.ts";
import { type ServiceProcess, startService } from "./support/service-process.ts";
import { patches, prepareWrites, type WriteRequest } from "./writes/write-data.ts";
import { measureWrites } from "./writes/write-load.ts";

const CONNECTIONS = 8;
/** More than a round can send. */
const PER_SECOND = 8_000;
const GOAL = 1.03;

const say = (line: string) => void process.stdout.write(`${line}\n`);

interface Options {
  fresh: boolean;
  seconds: number;
  rounds: number;
  rows: number;
  seed: number;
}

/** The settings that are compared, the first of which has nothing switched on. `goal`: whether it must stay within 3 %. */
const variantsOf = (collector: string): { name: string; env: Record<string, string>; goal: boolean }[] => [
  { name: "nothing", env: {}, goal: false },
  { name: "traces", env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector }, goal: true },
  {
    name: "every trace",
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

interface Round {
  /** Microseconds of processor time of the service's process for a request. */
  processor: number;
  p50: number;
  p99: number;
}

/**
 * Compares what a request costs with and without observation: the same requests, in rounds that alternate between processes on one
 * database. Prints the median over the rounds of each ratio to the round without, and says whether the goal is met.
 */
export async function observe(options: Options): Promise<void> {
  const { seconds, rounds, seed } = options;
  for (const [name, value] of Object.entries({ seconds, rounds }))
    refuseNoWork(`--${name}`, value, name !== "seconds");
  const rows = Math.min(options.rows, 20_000);
  await using database = await benchDatabase({ ...options, folder: "data/bench-observe" });
  const { projectId, known } = await prepareWrites(database, rows, say);
  const collector = createServer((request, response) => {
    request.resume().on("end", () => response.end());
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const variants = variantsOf(`http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
  const services: ServiceProcess[] = [];
  try {
    for (const { env } of variants) services.push(await startService(database.url, env));
    const words = ["--project", projectId, "--name", "bench", "--permissions", "leads:read,leads:write"];
    const key = String((await services[0]?.command("key", "create", ...words))?.key);
    say(
      `${rows.toLocaleString("en")} leads, ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, seed ${seed}`,
    );
    const measured: Round[][] = variants.map(() => []);
    for (let round = 0; round <= rounds; round += 1)
      for (let turn = 0; turn < variants.length; turn += 1) {
        // Each round starts with another one, so that none is always behind the same.
        const which = (turn + round) % variants.length;
        const service = services[which];
        if (service === undefined) continue;
        const requests = mixed(known, new Chance(seed + round), PER_SECOND * seconds);
        const port = Number(new URL(service.baseUrl).port);
        const before = cpuSeconds(service.pid);
        const load = await measureWrites({ port, key, requests, seconds, connections: CONNECTIONS });
        if (load.failed > 0) throw new Error(`${load.failed} requests were refused`);
        const processor = ((cpuSeconds(service.pid) - before) / load.calls) * 1e6;
        if (round > 0) measured[which]?.push({ processor, p50: load.p50, p99: load.p99 });
      }
    const [without = []] = measured;
    for (const [i, { name, goal }] of variants.entries()) report(name, goal, measured[i] ?? [], without);
  } finally {
    for (const service of services) await service[Symbol.asyncDispose]();
    collector.closeAllConnections();
    collector.close();
  }
}

function report(name: string, goal: boolean, own: readonly Round[], without: readonly Round[]): void {
  const of = (read: (round: Round) => number) => median(own.map(read));
  const ratio = (read: (round: Round) => number) =>
    median(own.map((round, i) => read(round) / read(without[i] ?? round)));
  const processor = ratio((each) => each.processor);
  const verdict = goal ? `; ${processor <= GOAL ? "within" : "NOT within"} 3 %` : "";
  say(
    `${name}: ${of((each) => each.processor).toFixed(0)} µs of processor a request, ratio ${processor.toFixed(3)}; ` +
      `p50 ${of((each) => each.p50).toFixed(2)} ms, ratio ${ratio((each) => each.p50).toFixed(3)}; ` +
      `p99 ${of((each) => each.p99).toFixed(2)} ms, ratio ${ratio((each) => each.p99).toFixed(3)}${verdict}`,
  );
}
