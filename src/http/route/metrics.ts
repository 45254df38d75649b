import type { FastifyInstance } from "fastify";
import prometheus from "prom-client";
import type { Config } from "../../config/config.ts";
import { sameText } from "../../core/secret.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import type { LockWait } from "../../observe/log/account.ts";
import { registry } from "../observe/registry.ts";
import { countBySize } from "../observe/request-metrics.ts";
import { showWork } from "../observe/work-metrics.ts";
import { isFromHere, isLoopbackUrl } from "../request/from-here.ts";
import { unread } from "../request/request-account.ts";

const seconds = new prometheus.Histogram({
  name: "leadgate_request_seconds",
  help: "Time to answer a request",
  labelNames: ["listener", "method", "route", "status"],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [registry],
});
const connections = new prometheus.Gauge({
  name: "leadgate_database_connections",
  help: "Database connections for requests: in use, idle, and requests that wait for one",
  labelNames: ["state"],
  registers: [registry],
});
const lanes = new prometheus.Gauge({
  name: "leadgate_lane_work",
  help: "Work that has a database connection (running) and that waits for one (waiting), by lane",
  labelNames: ["lane", "state"],
  registers: [registry],
});
const lockWaits = new prometheus.Gauge({
  name: "leadgate_lock_waits",
  help: "Statements that wait for a lock, by what its holder does",
  labelNames: ["holder"],
  registers: [registry],
});
const lockWait = new prometheus.Gauge({
  name: "leadgate_lock_wait_seconds",
  help: "How long the longest of them has waited; 0 without any",
  registers: [registry],
});
const slow = new prometheus.Counter({
  name: "leadgate_slow_lane_total",
  help: "Requests that went on in the slow lane",
  registers: [registry],
});
const ready = new prometheus.Gauge({
  name: "leadgate_ready",
  help: "1 if the check passes, else 0: the database answers; it takes changes",
  labelNames: ["check"],
  registers: [registry],
});
// Made with the first answer of the database: a gauge without a value shows 0.
let ahead: prometheus.Gauge | undefined;
const clock = () =>
  new prometheus.Gauge({
    name: "leadgate_database_clock_ahead_seconds",
    help: "Seconds by which the database's clock is ahead of this process's; negative if it is behind",
    registers: [registry],
  });
let roundTrip: prometheus.Gauge | undefined;
const trip = () =>
  new prometheus.Gauge({
    name: "leadgate_database_round_trip_seconds",
    help: "How long the database took to answer a statement that is no work, at the last check",
    registers: [registry],
  });
const answersUnread = new prometheus.Gauge({
  name: "leadgate_answers_unread",
  help: "Answers that wait for their clients to read",
  registers: [registry],
});
// Without Redis there is none.
let redis: prometheus.Gauge | undefined;
const redisUp = () =>
  new prometheus.Gauge({
    name: "leadgate_redis_up",
    help: "1 if Redis answers, else 0: then limits are enforced without it, at half their size",
    registers: [registry],
  });
const streams = new prometheus.Gauge({
  name: "leadgate_event_streams",
  help: "Streams of events that are open",
  registers: [registry],
});
const sent = new prometheus.Gauge({
  name: "leadgate_event_streams_sent_total",
  help: "Events that streams sent",
  registers: [registry],
});
const statements = new prometheus.Gauge({
  name: "leadgate_live_statements_total",
  help: "Statements for all live readers: polls of what was committed, checks of their credentials, and who views leads",
  registers: [registry],
});
const polls = new prometheus.Histogram({
  name: "leadgate_live_poll_seconds",
  help: "Time to read what was committed for all live readers",
  buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  registers: [registry],
});

/** A listener as its operator sees it; `url` is the public one, if clients use it. */
export interface Listed {
  name: string;
  url: string | undefined;
}

/** Adds `/metrics`, and measures the time of all requests. */
export function addMetrics(
  app: FastifyInstance,
  service: Service,
  { metricsToken }: Config,
  { name, url }: Listed,
): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    seconds.observe(
      { listener: name, method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1_000,
    );
    countBySize(request, reply);
    if (request.wasSlow) slow.inc();
    done();
  });
  showWork();
  service.live.onPoll = (seconds) => polls.observe(seconds);
  // Where a proxy leads to, the proxy's requests may look like those of this machine.
  const isPublic = url !== undefined && !isLoopbackUrl(url);
  app.get("/metrics", { config: { always: true } }, async (request, reply) => {
    const given = request.headers.authorization ?? "";
    const hasToken = metricsToken !== undefined && sameText(given, `Bearer ${metricsToken}`);
    if (!hasToken && (isPublic || !isFromHere(request.raw)))
      return reply.code(403).send(refused(isPublic ? PUBLIC : ELSEWHERE));
    await measure(service);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

const HOLDERS = ["working", "idle", "prepared", "hidden"] as const;

/** What the first holder of a lock does. `hidden`: another role's, which the service's role may not see, or none was found. */
function holderOf({ blocked_by: [first] }: LockWait): (typeof HOLDERS)[number] {
  const state = first?.state ?? "hidden";
  if (state === "prepared" || state === "hidden") return state;
  return state.startsWith("idle") ? "idle" : "working";
}

function showLocks(waits: readonly LockWait[]): void {
  const holders = waits.map(holderOf);
  for (const holder of HOLDERS) lockWaits.set({ holder }, holders.filter((each) => each === holder).length);
  const now = performance.now();
  lockWait.set(Math.max(0, ...waits.map(({ since }) => (now - since) / 1_000)));
}

const refused = (reason: string): object => ({ status: "forbidden", reason });
const PUBLIC =
  "Where AUTH_URL or BASE_URL is public, metrics are for holders of a token. Set METRICS_TOKEN and send it as " +
  "Authorization: Bearer TOKEN.";
const ELSEWHERE =
  "Metrics are for this machine or for holders of a token. Call a loopback address directly, not through a proxy " +
  "(http://127.0.0.1:PORT/metrics), or set METRICS_TOKEN and send it as Authorization: Bearer TOKEN.";

/** Sets the gauges of the database and of live readers. */
async function measure({ readiness, live, limiter }: Service): Promise<void> {
  for (const { lane, running, waiting } of readiness.lanes) {
    lanes.set({ lane, state: "running" }, running);
    lanes.set({ lane, state: "waiting" }, waiting);
  }
  showLocks(readiness.lockWaits);
  answersUnread.set(unread());
  streams.set(live.streams.open);
  sent.set(live.figures.sent);
  statements.set(live.figures.statements);
  if (limiter.answers !== undefined) {
    redis ??= redisUp();
    redis.set(limiter.answers ? 1 : 0);
  }
  const { answers, fault } = await readiness.check();
  for (const [state, number] of Object.entries(readiness.connections)) connections.set({ state }, number);
  if (readiness.aheadSeconds !== undefined) {
    ahead ??= clock();
    ahead.set(readiness.aheadSeconds);
  }
  if (readiness.roundTripSeconds !== undefined) {
    roundTrip ??= trip();
    roundTrip.set(readiness.roundTripSeconds);
  }
  ready.set({ check: "database" }, answers ? 1 : 0);
  ready.set({ check: "writes" }, answers && fault === undefined ? 1 : 0);
}
