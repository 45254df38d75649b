// Runs a benchmark by name: npm run bench -- leads-page [--fresh] [--seconds 5] [--rounds 5]
// npm run bench -- all [--quick] runs the benchmarks of docs/performance.md one after the other.
// npm run bench -- oracle [--filters 50000] [--searches 20000] [--orders 2000] [--seed 20261121] compares random filters, searches
// read by cursor, and pages in random orders with indexes and without, with a plain reference; exits with 1 if one differs.
// With --citus, the service is on a Citus cluster (LEADGATE_TEST_CITUS).
// npm run bench -- histories [--histories 10000] [--seed 1] plays random changes and undos against a plain model.
// npm run bench -- queries [--sizes 10000,500000 --rounds 5 --seed 1 --only WORDS] measures the usual queries with random values.
// npm run bench -- queries --crowd 2000 [--sizes 500000 --rounds 5 --seed 1 --only WORDS] compares a project alone with the same
// one in a database of 2,000 projects, 5,000,000 leads and 20,000,000 events (50 GB, an hour the first time).
// npm run bench -- export [--rows 1000000 --slow] compares exports with psql's COPY, or measures one slow reader.
// npm run bench -- import [--rows 1000000] compares a CSV import with psql; import --kills 50 kills the worker.
// npm run bench -- install [--quick] measures size and time of installations, from the registry and from the cache.
// npm run bench -- directus compares a page of leads with Directus; installs it into lab/bench/directus first.
// npm run bench -- races [--scale 1] [--kills 100] [--citus] exits with 1 if a race or a kill breaks a promise.
// npm run bench -- tenants [--seconds 10] measures what others notice of one tenant's slow requests.
// npm run bench -- chaos [--rounds 100 --seed 1 | --only SEED] [--faults kill-service,clock] [--against HEAD~1] exits with
// 1 if random faults break a promise.
// npm run bench -- mirror [--changes 100000] [--seed 1] compares a mirror of the feed with its source after random changes.
// npm run bench -- mcp [--seconds 2 --rounds 5 --connections 10,50 --only WORDS] compares tool calls with both SDKs of MCP.
// npm run bench -- restored [--events 1000000] compares `restored` with rewriting the events, as it did formerly.
// npm run bench -- rolling [--restarts 20] restarts instances behind HAProxy; exits with 1 if a request failed.
// npm run bench -- scale [--rows 500000 --seconds 5 --rounds 5] compares a Citus cluster (LEADGATE_TEST_CITUS) with one PostgreSQL.
// npm run bench -- scale-faults [--seconds 10] kills nodes of that cluster and moves shards under load; exits with 1 if a promise breaks.
// npm run bench -- soak [--minutes 30] watches memory and connections under mixed load.
// npm run bench -- stream [--seconds 10] measures how soon streams of events have what was committed.
// npm run bench -- writes [--rows 500000] [--seconds 5] [--rounds 5] [--seed 1] compares single writes and batches of
// events with pgbench doing the bare work.
// npm run bench -- observe [--quick] [--seconds 5 --rounds 5] measures what logs and traces cost: their share of a process's time, and without --quick requests with and without them.
// npm run bench -- overload [--seconds 40] sends four times the capacity; --tenant sends it from one tenant only. Exits with
// 1 if a goal is missed.
import process from "node:process";
import { parseArgs } from "node:util";
import { all } from "./all.ts";
import { directus } from "./directus.ts";
import { exportLeads } from "./export.ts";
import { histories } from "./histories.ts";
import { importLeads } from "./import.ts";
import { install } from "./install.ts";
import { leadsPage } from "./leads-page.ts";
import { limits } from "./limits.ts";
import { mcp } from "./mcp.ts";
import { mirror } from "./mirror.ts";
import { oauth } from "./oauth.ts";
import { observe } from "./observe.ts";
import { oracle } from "./oracle.ts";
import { queries } from "./queries.ts";
import { races } from "./races.ts";
import { restored } from "./restored.ts";
import { scaleFaults } from "./scale/faults.ts";
import { scale } from "./scale/scale.ts";
import { chaos } from "./stability/chaos.ts";
import { overload } from "./stability/overload.ts";
import { rolling } from "./stability/rolling.ts";
import { soak } from "./stability/soak.ts";
import { tenants } from "./stability/tenants.ts";
import { stream } from "./stream.ts";
import { writes } from "./writes.ts";

interface Options {
  fresh: boolean;
  seconds: number;
  rounds: number;
  scale: number;
  kills: number;
  /** Whether to kill the worker. */
  kill: boolean;
  filters: number;
  searches: number;
  orders: number;
  histories: number;
  seed: number;
  rows: number;
  slow: boolean;
  quick: boolean;
  tenant: boolean;
  citus: boolean;
  sizes: number[];
  connections: number[];
  restarts: number;
  minutes: number;
  changes: number;
  events: number;
  crowd: number;
  only: string;
  faults: string;
  against: string;
}

const BENCHMARKS: Record<string, (options: Options) => Promise<void>> = {
  all,
  "leads-page": leadsPage,
  limits,
  chaos,
  directus,
  export: exportLeads,
  histories,
  mcp,
  mirror,
  import: importLeads,
  install,
  oauth,
  observe,
  oracle,
  overload,
  queries,
  races,
  restored,
  stream,
  tenants,
  rolling,
  scale,
  "scale-faults": scaleFaults,
  soak,
  writes,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fresh: { type: "boolean", default: false },
    seconds: { type: "string" },
    rounds: { type: "string", default: "5" },
    scale: { type: "string", default: "1" },
    kills: { type: "string", default: "100" },
    filters: { type: "string", default: "50000" },
    searches: { type: "string", default: "20000" },
    orders: { type: "string", default: "2000" },
    histories: { type: "string", default: "10000" },
    seed: { type: "string", default: "20261121" },
    rows: { type: "string", default: "500000" },
    slow: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    tenant: { type: "boolean", default: false },
    citus: { type: "boolean", default: false },
    sizes: { type: "string", default: "10000,500000" },
    connections: { type: "string", default: "10,50" },
    restarts: { type: "string", default: "20" },
    minutes: { type: "string", default: "30" },
    changes: { type: "string", default: "100000" },
    events: { type: "string", default: "1000000" },
    crowd: { type: "string", default: "0" },
    only: { type: "string", default: "" },
    faults: { type: "string", default: "" },
    against: { type: "string", default: "HEAD~1" },
  },
});
const run = BENCHMARKS[positionals[0] ?? ""];
if (run === undefined) {
  process.stderr.write(`Name a benchmark: ${Object.keys(BENCHMARKS).join(", ")}\n`);
  process.exitCode = 2;
} else {
  const {
    fresh,
    seconds,
    rounds,
    scale: times,
    kills,
    filters,
    searches,
    orders,
    histories: played,
    seed,
    rows,
    slow,
    quick,
    tenant,
    citus,
    sizes,
    connections,
    restarts,
    minutes,
    changes,
    events,
    crowd,
    ...texts
  } = values;
  const numbers = {
    seconds: Number(seconds ?? (run === overload ? 40 : run === stream ? 10 : 5)),
    rounds: Number(rounds),
    scale: Number(times),
    kills: Number(kills),
    filters: Number(filters),
    searches: Number(searches),
    orders: Number(orders),
    histories: Number(played),
    seed: Number(seed),
    rows: Number(rows),
    sizes: sizes.split(",").map(Number),
    connections: connections.split(",").map(Number),
    restarts: Number(restarts),
    minutes: Number(minutes),
    changes: Number(changes),
    events: Number(events),
    crowd: Number(crowd),
  };
  await run({
    fresh,
    slow,
    quick,
    tenant,
    citus,
    ...texts,
    ...numbers,
    kill: process.argv.includes("--kills"),
  });
}
