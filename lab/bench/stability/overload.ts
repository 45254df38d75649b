import { setTimeout as sleep } from "node:timers/promises";
import { prepareGround, prepareTokens } from "../../../test/oauth/support/inserted-grants.ts";
import { type ServiceProcess, startService } from "../../../test/processes/service-process.ts";
import { type BenchProject, prepareLeads, projectOf } from "../leads/leads-data.ts";
import { type BenchDatabase, benchDatabase } from "../support/database.ts";
import { Wire } from "../support/wire.ts";
import { flood, isGood, isRefused, percentile, type Sample, startFlood } from "./overload/flood.ts";
import { goodputOf, missedGoals, normalAfter, type Shown } from "./overload/goals.ts";
import { mixOf, pageOf, type Tenant } from "./overload/mix.ts";
import { type ProcessorShare, watchProcessor } from "./overload/processor.ts";
import { refuseNoWork } from "./work.ts";

const TENANTS: readonly BenchProject[] = [10_000, 10_001, 10_002, 10_003].map(projectOf);
const VARIED = 5_000;
const SEED = 20_261_121;
/** The load's share of the capacity at which the service counts as unloaded. */
const CALM = 0.2;
const RECOVERY_S = 10;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const ms = (n: number) => `${n.toFixed(1)} ms`;
const perSecond = (n: number) => `${Math.round(n).toLocaleString("en")}/s`;

interface Options {
  fresh: boolean;
  /** How long the flood takes. */
  seconds: number;
  /** Whether one tenant alone sends the flood. */
  tenant: boolean;
}

/**
 * Measures the capacity of the service for a mix of calls, then sends four times as much, whatever the answers do, and
 * watches from its end how soon it is as before. Throws if a goal is missed (`overload/goals.ts`).
 */
export async function overload({ fresh, seconds, tenant }: Options): Promise<void> {
  refuseNoWork("--seconds", seconds);
  await using database = await benchDatabase({ fresh, folder: "data/bench-overload" });
  await prepareLeads(database, say, TENANTS);
  await using service = await startService(database.url);
  const tenants = await Promise.all(TENANTS.map((project) => tenantOf(service, project)));
  const port = Number(new URL(service.baseUrl).port);
  const requests = mixOf(tenant ? tenants.slice(0, 1) : tenants, VARIED, SEED);

  await flood({ port, requests, connections: 32, seconds: Math.min(5, seconds) });
  const closed = await flood({ port, requests, connections: 32, seconds: Math.min(10, seconds) });
  refuseFailures(closed);
  const capacity = closed.length / Math.min(10, seconds);
  say(`capacity: ${perSecond(capacity)} over 32 connections, p99 ${ms(percentile(closed, 0.99))}`);

  if (tenant) return await besideOthers({ database, service, tenants, port, requests, capacity, seconds });
  const calm = await flood({ port, requests, rate: capacity * CALM, seconds: 5 });
  say(
    `unloaded (${perSecond(capacity * CALM)}): p50 ${ms(percentile(calm, 0.5))}, p99 ${ms(percentile(calm, 0.99))}`,
  );
  const probing = probe(port);
  const shares = watchProcessor(service.pid);
  const flooding = startFlood({ port, requests, rate: capacity * 4, seconds });
  await flooding.stopped;
  const share = shares();
  sayShares(share);
  // What was admitted last is not answered yet: that belongs to the recovery.
  const recovering = flood({ port, requests, rate: capacity * CALM, seconds: RECOVERY_S });
  const [livez, sent, after] = await Promise.all([probing.stop(), flooding.samples, recovering]);
  report({ sent, capacity, seconds });
  say(`/livez: ${shown(livez)}, ${livez.filter((each) => !isGood(each)).length} of ${livez.length} failed`);
  const normal = normalAfter(after, percentile(calm, 0.99), RECOVERY_S);
  say(`back to normal after: ${Number.isFinite(normal) ? `${normal} s` : `more than ${RECOVERY_S} s`}`);
  refuseMissed(missedGoals({ sent, seconds, capacity, livez, normalAfter: normal }), share);
}

function refuseMissed(missed: readonly string[], { waiting }: ProcessorShare): void {
  if (missed.length === 0) return;
  // Where others had the processors, a missed goal may be about them.
  const waited = `the service waited for a processor for ${Math.round(waiting * 100)} % of the time`;
  throw new Error(`missed: ${missed.join("; ")} (${waited})`);
}

async function tenantOf(service: ServiceProcess, project: BenchProject): Promise<Tenant> {
  const words = ["--project", project.id, "--name", "bench", "--permissions", "leads:read,leads:write"];
  const { key } = await service.command("key", "create", ...words);
  return { project, key: String(key) };
}

function report(run: Pick<Shown, "sent" | "others" | "capacity" | "seconds">): void {
  const { sent, capacity, seconds } = run;
  const [good, refused] = [sent.filter(isGood), sent.filter(isRefused)];
  const goodput = goodputOf(run);
  say(`offered: ${perSecond(sent.length / seconds)} for ${seconds} s`);
  say(`goodput: ${perSecond(goodput)}, ${(goodput / capacity).toFixed(2)} of the capacity`);
  say(`admitted: ${shown(good)}`);
  const bare = refused.filter(({ retry }) => !retry).length;
  say(`refused: ${refused.length - bare} with Retry-After, ${bare} without; ${shown(refused)}`);
  say(`statuses: ${JSON.stringify(Object.fromEntries(countBy(sent)))}`);
}

const shown = (samples: readonly Sample[]): string =>
  `p50 ${ms(percentile(samples, 0.5))}, p99 ${ms(percentile(samples, 0.99))}`;

function countBy(samples: readonly Sample[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { status } of samples) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

function sayShares({ running, waiting }: ProcessorShare): void {
  const share = (n: number) => `${Math.round(n * 100)} %`;
  say(
    `the service's event loop had a processor for ${share(running)} of the time, and waited for one for ${share(waiting)}`,
  );
}

/** Refuses to measure a mix that does not work. */
function refuseFailures(samples: readonly Sample[]): void {
  const failed = samples.filter((sample) => !isGood(sample));
  if (failed.length > 0) throw new Error(`calls failed: ${JSON.stringify([...countBy(failed)])}`);
}

interface Probing {
  /** Stops sending; returns a sample of each request once all are answered. */
  stop(): Promise<Sample[]>;
}

/** Asks at a steady rate over a new connection each, as health checks do. */
function probe(port: number, request = LIVEZ, everyMs = 50): Probing {
  const asked: Promise<Sample>[] = [];
  const started = performance.now();
  const bytesOf = typeof request === "function" ? request : () => request;
  const timer = setInterval(() => asked.push(askOnce(port, bytesOf(), started)), everyMs);
  return {
    async stop() {
      clearInterval(timer);
      return await Promise.all(asked);
    },
  };
}

const LIVEZ: Uint8Array | (() => Uint8Array) = Buffer.from("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");

async function askOnce(port: number, bytes: Uint8Array, started: number): Promise<Sample> {
  const began = performance.now();
  const sample = (status: number): Sample => {
    const asked = { at: began - started, status, retry: false, ms: performance.now() - began };
    // A failure is not a fast answer.
    return isGood(asked) ? asked : { ...asked, ms: Number.POSITIVE_INFINITY };
  };
  try {
    const wire = await Wire.open(port);
    const { status } = await wire.send(bytes);
    wire.close();
    return sample(status);
  } catch {
    return sample(0);
  }
}

interface Beside {
  database: BenchDatabase;
  service: ServiceProcess;
  tenants: readonly Tenant[];
  port: number;
  requests: readonly Uint8Array[];
  capacity: number;
  seconds: number;
}

/** Measures what another tenant and applications that refresh tokens notice of one tenant's flood. */
async function besideOthers({
  database,
  service,
  tenants,
  port,
  requests,
  capacity,
  seconds,
}: Beside): Promise<void> {
  const other = tenants[1];
  if (other === undefined) throw new Error("the benchmark has one tenant");
  const ground = await prepareGround(database);
  const tokens = await prepareTokens(database, ground, Math.ceil((5 + seconds) * 10));
  const refresh = () => {
    const body = `grant_type=refresh_token&client_id=${ground.clientId}&refresh_token=${tokens.pop()?.refresh}`;
    const head = `POST /api/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
    return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  };
  const watch = () => {
    const probes = {
      pages: probe(port, pageOf(other), 200),
      refreshes: probe(service.authPort, refresh, 200),
      livez: probe(port),
    };
    return async (when: string) => {
      const [pages, refreshes, livez] = await Promise.all([
        probes.pages.stop(),
        probes.refreshes.stop(),
        probes.livez.stop(),
      ]);
      for (const [name, samples] of Object.entries({ pages, refreshes, livez })) {
        const failed = samples.filter((each) => !isGood(each));
        say(
          `${when}, ${name}: ${shown(samples)}, ${failed.length} of ${samples.length} failed ${failed.length === 0 ? "" : JSON.stringify([...countBy(failed)])}`,
        );
      }
      return { livez, others: { pages, refreshes } };
    };
  };
  const before = watch();
  await sleep(5_000);
  await before("before");
  const during = watch();
  const shares = watchProcessor(service.pid);
  const flooding = startFlood({ port, requests, rate: capacity * 4, seconds });
  await flooding.stopped;
  const share = shares();
  sayShares(share);
  const { livez, others } = await during("during");
  const sent = await flooding.samples;
  const run = { sent, seconds, capacity, livez, others };
  report(run);
  refuseMissed(missedGoals(run), share);
}
