import { setTimeout as sleep } from "node:timers/promises";
import { Logger, type Runner, run } from "graphile-worker";
import type pg from "pg";
import { WORKER_SCHEMA } from "../../db/worker-schema.ts";
import { enqueueAgain, queueName, TASK } from "../jobs/enqueue-job.ts";
import { holdJob } from "../jobs/hold-job.ts";
import type { QueuedJob } from "../jobs/job.ts";
import type { Service } from "../operation/service/service.ts";
import { endExhausted } from "./end-exhausted.ts";
import { type EndedEntry, orderQueue, POLL_MS } from "./queue-order.ts";
import { runJob } from "./run-job.ts";

/** After five seconds, a worker that took the job would have its lock. */
const TAKEN = `SELECT key, locked_by AS worker FROM ${WORKER_SCHEMA}.jobs
  WHERE task_identifier = $1 AND locked_at < now() - interval '5 seconds' LIMIT 100`;

/**
 * Returns to the queue the jobs of killed processes: those that are taken but whose lock nobody holds. The queue
 * itself would wait four hours.
 */
async function takeOver(service: Service): Promise<void> {
  const taken = await service.db.query<{ key: string; worker: string }>(TAKEN, [TASK]);
  for (const { key, worker } of taken) {
    await holdJob(service, key, async () => {
      await service.db.query(`SELECT ${WORKER_SCHEMA}.force_unlock_workers($1)`, [[worker]]);
    });
  }
}

const AT_ONCE = 2;
const TAKE_OVER_MS = 3_000;
const AGAIN_MS = 5_000;
const GIVING_UP_MS = 1_000;
/**
 * Completes jobs in batches, without delay. Otherwise the runner does not wait until a job has left the queue, and an
 * error there, such as a lost connection, would end the process.
 */
const TICKED_OFF = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

/**
 * Processes the queue as long as the service runs. Returns a function that stops it and
 * puts running jobs back into the queue.
 */
export function keepWorking(service: Service): () => Promise<void> {
  const stopping = new AbortController();
  const working = workOn(service, stopping.signal);
  let tidying: Promise<void> | undefined;
  const again = () => {
    tidying ??= tidy(service)
      .catch((error: unknown) =>
        service.log.warn({ err: error }, "could not look for jobs of ended processes; it will be retried"),
      )
      .finally(() => {
        tidying = undefined;
      });
  };
  again();
  const timer = setInterval(again, TAKE_OVER_MS);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await Promise.all([working, tidying]);
  };
}

async function tidy(service: Service): Promise<void> {
  await takeOver(service);
  await endExhausted(service);
  await orderQueue(service.db);
}

/** Runs a job that this process holds, then orders the queue for the slot that is free again. */
async function runEntry(
  service: Service,
  ref: QueuedJob,
  { stop, lastTry, entry }: { stop: AbortSignal; lastTry: boolean; entry: EndedEntry },
): Promise<void> {
  try {
    if ((await runJob(service, ref, stop, lastTry)) === "yielded")
      await enqueueAgain(service.db, ref, entry.id);
  } finally {
    await orderQueue(service.db, entry).catch((error: unknown) =>
      service.log.warn({ err: error }, "could not order the queue; it will be retried"),
    );
  }
}

/** A runner gives up when the database is away for a long time; then another one is started. */
async function workOn(service: Service, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    let runner: Runner | undefined;
    const end = () => void runner?.stop().catch(() => undefined);
    try {
      runner = await started(service, stop);
      stop.addEventListener("abort", end, { once: true });
      if (stop.aborted) end();
      await ended(runner);
    } catch (error) {
      service.log.warn({ err: error }, "could not process the queue; it will be retried");
    } finally {
      stop.removeEventListener("abort", end);
    }
    await sleep(AGAIN_MS, undefined, { signal: stop, ref: false }).catch(() => undefined);
  }
}

/**
 * Resolves when the runner has ended, or soon after it gave up: if the results of two jobs could not be written, it
 * waits for ever for their number to become zero. A job that it still runs keeps its lock, so nobody takes it over.
 */
async function ended(runner: Runner): Promise<void> {
  const gaveUp = new Promise<void>((resolve) => runner.events.once("pool:fatalError", () => resolve()));
  await Promise.race([runner.promise, gaveUp.then(() => sleep(GIVING_UP_MS, undefined, { ref: false }))]);
}

/**
 * The pool for graphile-worker, which gives its listening connection back twice if that dies while it stops, before its LISTEN was
 * answered: pg would throw, and the rejection that nobody handles would end the process.
 */
export const forgiving = (pool: pg.Pool): pg.Pool =>
  new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== "connect") return typeof value === "function" ? value.bind(target) : value;
      return (taken?: Taken) =>
        taken === undefined ? target.connect() : target.connect(givenBackOnce(taken));
    },
  });

type Taken = Parameters<pg.Pool["connect"]>[0];

const givenBackOnce =
  (taken: Taken): Taken =>
  (error, client, release) => {
    let isBack = false;
    taken(error, client, (reason) => {
      if (!isBack) release(reason);
      isBack = true;
    });
  };

const started = (service: Service, stop: AbortSignal): Promise<Runner> =>
  run({
    pgPool: forgiving(service.db.pool),
    schema: WORKER_SCHEMA,
    concurrency: AT_ONCE,
    noHandleSignals: true,
    pollInterval: POLL_MS,
    gracefulShutdownAbortTimeout: 100,
    preset: { worker: TICKED_OFF },
    logger: new Logger(({ label }) => (level, message) => {
      service.log[level === "error" || level === "warning" ? "warn" : "debug"]({ from: label }, message);
    }),
    parsedCronItems: [],
    taskList: {
      [TASK]: async (payload, { job: { id, attempts, max_attempts: most } }) => {
        const ref = payload as QueuedJob;
        const entry = { id: String(id), projectId: ref.projectId };
        const mine = await holdJob(service, queueName(ref), () =>
          runEntry(service, ref, { stop, lastTry: attempts >= most, entry }),
        );
        if (!mine) throw new Error("another process is at this job");
      },
    },
  });
