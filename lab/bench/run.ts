// Runs a benchmark by name: npm run bench -- NAME [options]. lab/README.md lists them.
import process from "node:process";
import { parseArgs } from "node:util";
import { all } from "./all.ts";
import { directus } from "./directus.ts";
import { exportLeads } from "./export.ts";
import { fresh as freshInstallation } from "./fresh.ts";
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
import { postgres } from "./postgres.ts";
import { queries } from "./queries.ts";
import { races } from "./races.ts";
import { restored } from "./restored.ts";
import { scaleFaults } from "./scale/faults.ts";
import { scale } from "./scale/scale.ts";
import { sizes } from "./sizes.ts";
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
  fresh: freshInstallation,
  histories,
  mcp,
  mirror,
  import: importLeads,
  install,
  oauth,
  observe,
  oracle,
  overload,
  postgres,
  queries,
  races,
  restored,
  stream,
  tenants,
  rolling,
  scale,
  "scale-faults": scaleFaults,
  sizes,
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
