import prometheus from "prom-client";
import manifest from "../../../package.json" with { type: "json" };
import { type Listener, listenTo, type RowKeeper } from "../../observe/metrics/report.ts";
import { registry } from "./registry.ts";

const registers = [registry];
const gauge = (name: string, help: string, labelNames: string[] = []) =>
  new prometheus.Gauge({ name, help, labelNames, registers });
const counter = (name: string, help: string, labelNames: string[]) =>
  new prometheus.Counter({ name, help, labelNames, registers });
const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
  new prometheus.Histogram({ name, help, labelNames, buckets, registers });

const WAITS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 3, 10];
const RUNS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600];

gauge("leadgate_build_info", "1, for the version of the service and of Node", ["version", "node"]).set(
  { version: manifest.version, node: process.versions.node },
  1,
);
const laneWait = histogram(
  "leadgate_lane_wait_seconds",
  "Time that work waited for a database connection",
  ["lane"],
  WAITS,
);
const laneRefusals = counter(
  "leadgate_lane_refusals_total",
  "Work that got no database connection: its project had its share (own), which waited for a lock of others (lock); all were in use (busy); the database does not answer (away)",
  ["lane", "reason"],
);
const jobSeconds = histogram("leadgate_job_seconds", "Time of a run of a job", ["kind", "outcome"], RUNS);
const mails = counter(
  "leadgate_mails_total",
  "Attempts to hand a mail to the mail server, which took it (sent) or not (failed)",
  ["outcome"],
);
for (const outcome of ["sent", "failed"]) mails.inc({ outcome }, 0);

const commits = histogram(
  "leadgate_database_commit_seconds",
  "Time that commits waited for PostgreSQL's log to be on the disk, with the round trip",
  [],
  WAITS,
);
const lost = counter(
  "leadgate_database_connections_lost_total",
  "Database connections that ended while they were open",
  [],
);
lost.inc(0);

const waits = new Map<string, prometheus.Histogram.Internal<"lane">>();
const waitOf = (lane: string) => {
  const known = waits.get(lane) ?? laneWait.labels({ lane });
  waits.set(lane, known);
  return known;
};

/** Only the instance that works on jobs has these; others do not show them. */
const databaseGauges = () => ({
  bytes: gauge("leadgate_database_bytes", "Size of the database"),
  transaction_seconds: gauge(
    "leadgate_database_oldest_transaction_seconds",
    "Age of the oldest transaction of the database; 0 if there is none",
  ),
  idle_seconds: gauge(
    "leadgate_database_oldest_idle_transaction_seconds",
    "How long a transaction has been idle, that of the longest; 0 if there is none",
  ),
  prepared_seconds: gauge(
    "leadgate_database_oldest_prepared_transaction_seconds",
    "Age of the oldest prepared transaction of the database; 0 if there is none",
  ),
  statement_seconds: gauge(
    "leadgate_database_oldest_statement_seconds",
    "Age of the oldest running statement of the service's role; 0 if there is none",
  ),
  connections: gauge("leadgate_database_server_connections", "Connections of all programs to PostgreSQL"),
  most_connections: gauge("leadgate_database_server_connections_max", "The setting max_connections"),
  dead_rows: gauge("leadgate_database_dead_rows", "Dead rows that autovacuum has not removed yet"),
  frozen_age: gauge(
    "leadgate_database_frozen_age",
    "Transactions since the oldest unfrozen one; PostgreSQL stops at two billion",
  ),
  retained_bytes: gauge(
    "leadgate_database_slot_retained_bytes",
    "Write-ahead log that the furthest replication slot keeps; 0 without slots",
  ),
  measured: gauge(
    "leadgate_database_measured_timestamp_seconds",
    "When the worker last measured the database and its queue",
  ),
});
const KEEPERS: readonly RowKeeper[] = ["transaction", "prepared", "slot", "standby"];
const keptGauge = () =>
  gauge(
    "leadgate_database_kept_transactions",
    "Transactions since the oldest one whose old rows vacuum may not remove, by what keeps them",
    ["holder"],
  );
const jobGauges = () => ({
  jobs: gauge("leadgate_jobs", "Unfinished jobs", ["kind", "state"]),
  oldest: gauge("leadgate_jobs_oldest_seconds", "Age of the oldest unfinished job", ["kind", "state"]),
});
let database: ReturnType<typeof databaseGauges> | undefined;
let jobs: ReturnType<typeof jobGauges> | undefined;
let kept: prometheus.Gauge | undefined;

const listener: Listener = {
  waited: (lane, seconds) => waitOf(lane).observe(seconds),
  refused: (lane, reason) => laneRefusals.inc({ lane, reason }),
  ran: (kind, outcome, seconds) => jobSeconds.observe({ kind, outcome }, seconds),
  mailed: (outcome) => mails.inc({ outcome }),
  committed: (seconds) => commits.observe({}, seconds),
  lostConnection: () => lost.inc(),
  database(figures, unfinished, held) {
    database ??= databaseGauges();
    jobs ??= jobGauges();
    kept ??= keptGauge();
    for (const holder of KEEPERS) kept.set({ holder }, held.get(holder) ?? 0);
    for (const [name, each] of Object.entries(database)) each.set(figures[name as keyof typeof figures]);
    for (const each of Object.values(jobs)) each.reset();
    for (const kind of ["export", "bulk", "import", "undo"])
      for (const state of ["waiting", "running"]) {
        const found = unfinished.find((each) => each.kind === kind && each.state === state);
        jobs.jobs.set({ kind, state }, found?.count ?? 0);
        jobs.oldest.set({ kind, state }, found?.age ?? 0);
      }
  },
};

/** Shows what the rooms report among the metrics of this process. */
export const showWork = (): void => listenTo(listener);
