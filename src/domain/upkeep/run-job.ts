import { Refusal } from "../../core/refusal.ts";
import { within } from "../../core/within.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { report } from "../../observe/metrics/report.ts";
import { KIND } from "../../observe/trace/span.ts";
import type { Trace } from "../../observe/trace/trace.ts";
import { readTraceParent } from "../../observe/trace/trace-parent.ts";
import { queueName } from "../jobs/enqueue-job.ts";
import {
  FAILURE,
  type JobKind,
  type JobRef,
  JobTaken,
  type QueuedJob,
  type RunningJob,
} from "../jobs/job.ts";
import { credentialOf, type KeptCredential } from "../jobs/kept-credential.ts";
import { followGrowth, lookAhead } from "../operation/growth.ts";
import { recording, type Service } from "../operation/service/service.ts";
import { doorOf } from "../tenancy/credential.ts";
import { JOB_KINDS } from "./job-kinds.ts";
import { mustYield } from "./queue-order.ts";

interface Begun {
  kind: string;
  input: unknown;
  credential: KeptCredential;
  attempt: number;
  change_id: string | null;
}

/** Clears the pieces and the progress of a former run, except for kinds that resume. */
const BEGIN = `WITH begun AS (
    UPDATE job SET state = 'running', attempt = attempt + 1, restarts = false,
      done = CASE WHEN kind = ANY ($3) THEN done ELSE 0 END,
      total = CASE WHEN kind = ANY ($3) THEN total END,
      started_at = least(started_at, moment())
    WHERE project_id = $1 AND id = $2 AND state IN ('waiting', 'running')
    RETURNING id, kind, input, credential, attempt, change_id
  ), cleared AS (
    DELETE FROM job_piece USING begun WHERE project_id = $1 AND job_id = begun.id AND kind <> ALL ($3)
  ) SELECT kind, input, credential, attempt, change_id FROM begun`;

const RESUMED = Object.keys(JOB_KINDS).filter((kind) => JOB_KINDS[kind]?.resumes);

const MINE = "project_id = $1 AND id = $2 AND attempt = $3 AND state = 'running'";

const DONE = `UPDATE job SET state = 'done', result = $4::jsonb, total = done, finished_at = moment(),
  expires_at = moment() + $5::interval WHERE ${MINE} AND NOT restarts RETURNING id`;

const FAILED = `WITH failed AS (
    UPDATE job SET state = 'failed', error = $4::jsonb, finished_at = moment() WHERE ${MINE} RETURNING id
  ) DELETE FROM job_piece USING failed WHERE project_id = $1 AND job_id = failed.id`;

const STILL = `SELECT FROM job WHERE ${MINE}`;

/**
 * `$4`: whether the next run continues with the pieces. Otherwise they would count until it begins, perhaps hours later. It is a column,
 * because a cluster runs nothing of a statement whose last part has a condition that is false for all rows.
 */
const WAITS = `WITH waits AS (UPDATE job SET state = 'waiting' WHERE ${MINE} RETURNING id, $4::boolean AS continues)
  DELETE FROM job_piece USING waits WHERE project_id = $1 AND job_id = waits.id AND NOT waits.continues`;

const UNFINISHED = `SELECT attempt, restarts FROM job
  WHERE project_id = $1 AND id = $2 AND state IN ('waiting', 'running')`;

const LOOK_MS = 1_000;
/** How long a job waits for statistics: before it begins, and at its end those of what it wrote. */
const FOLLOW_MS = 1_000;

/** How a run went: to the job's end, or until its slot was needed by another project. */
export type RunOutcome = "ended" | "yielded";

/**
 * Runs a job to its end: done, failed with a reason, or cancelled; or until it yields. Throws internal errors, so that the queue
 * retries, unless this is the last attempt. The lock of the job's name keeps other processes out. A job that was told to
 * start again does so at once, because the queue would count it as a failure.
 */
export async function runJob(
  service: Service,
  { trace: cause, ...ref }: QueuedJob,
  stop: AbortSignal,
  lastTry: boolean,
): Promise<RunOutcome> {
  for (;;) {
    const trace = service.tracer?.work("job", KIND.consumer, readTraceParent(cause));
    const run = () => runOnce(service, trace, ref, stop, lastTry);
    const outcome = await (trace === undefined ? run() : trace.during(run));
    if (outcome !== "again") return outcome;
  }
}

/** Runs it once. What this took and did is in the logs. */
async function runOnce(
  service: Service,
  trace: Trace | undefined,
  ref: JobRef,
  stop: AbortSignal,
  lastTry: boolean,
): Promise<RunOutcome | "again"> {
  const { logs } = service;
  const account = logs?.account();
  const run: Run = { kind: undefined, attempt: undefined, outcome: "again" };
  try {
    return await runNoted(recording(service, trace, account), run, ref, stop, lastTry);
  } finally {
    const { kind, attempt, outcome } = run;
    // Without a kind, there was nothing to do.
    if (logs !== undefined && account !== undefined && kind !== undefined) {
      account.performs(`job ${kind}`);
      const named = () => ({ job: ref.id, kind, attempt, outcome, project: ref.projectId });
      logs.ended(account, { log: service.log, named, message: "ran" });
    }
  }
}

/** What is known of a run. */
interface Run {
  kind: string | undefined;
  attempt: number | undefined;
  outcome: "done" | "failed" | "again";
}

async function runNoted(
  service: Service,
  run: Run,
  ref: JobRef,
  stop: AbortSignal,
  lastTry: boolean,
): Promise<RunOutcome | "again"> {
  const { projectId, id } = ref;
  const own = service.db.behind(serviceDoor(projectId));
  const [begun] = await own.query<Begun>(BEGIN, [projectId, id, RESUMED]);
  if (begun === undefined) return "ended";
  const { trace } = service;
  if (trace !== undefined) {
    trace.root.name = `job ${begun.kind}`;
    trace.set("leadgate.project.id", projectId);
    trace.set("leadgate.job.id", id);
    trace.set("leadgate.job.attempt", begun.attempt);
  }
  const kind = JOB_KINDS[begun.kind];
  const since = performance.now();
  [run.kind, run.attempt] = [begun.kind, begun.attempt];
  const mine = [projectId, id, begun.attempt];
  const ended = new AbortController();
  const yields = new JobTaken("another project needs the slot");
  const look = setInterval(() => {
    own.query(STILL, mine).then(
      (rows) => rows.length === 0 && ended.abort(new JobTaken("the job was cancelled")),
      () => undefined,
    );
    mustYield(service.db, queueName(ref)).then(
      (must) => must && ended.abort(yields),
      () => undefined,
    );
    void followGrowth(service, projectId);
  }, LOOK_MS);
  try {
    if (kind === undefined) throw new Error(`unknown job kind ${begun.kind}`);
    const signal = AbortSignal.any([stop, ended.signal]);
    const job = runningJob(service, kind, ref, begun, signal);
    await within(FOLLOW_MS, lookAhead(service, projectId));
    const result = await kind.run(job);
    // Whoever waits for the job asks for what it wrote at once.
    await within(FOLLOW_MS, followGrowth(service, projectId, true));
    const keeps = kind.keeps?.(service.config) ?? null;
    await own.transaction(async (tx) => {
      await kind.settle?.(tx, job, result);
      const done = await tx.query(DONE, [...mine, JSON.stringify(result), keeps]);
      if (done.length === 0) throw new JobTaken("the job was cancelled");
    });
    run.outcome = "done";
    await kind
      .afterwards?.(job)
      .catch((error: unknown) => service.log.warn({ job: id, err: error }, "could not clean up after a job"));
    return "ended";
  } catch (error) {
    const [job] = await own.query<{ attempt: number; restarts: boolean }>(UNFINISHED, [projectId, id]);
    if (job === undefined) return "ended";
    // The queue's entry is now that of the other run: to complete it would leave the job without one.
    if (job.attempt !== begun.attempt) throw error;
    // After SIGTERM, nothing may take long; the next run then begins soon.
    const waits = [...mine, kind?.resumes === true || stop.aborted];
    if (error instanceof JobTaken) {
      if (job.restarts && !stop.aborted) return "again";
      if (ended.signal.reason === yields && !stop.aborted) {
        await own.query(WAITS, waits);
        service.log.info({ job: id }, "a job left its slot to another project and waits again");
        return "yielded";
      }
      // a run that stopped although the job is still its own must be retried
    }
    const reason = stop.aborted ? undefined : reasonOf(error, lastTry);
    if (reason === undefined) await own.query(WAITS, waits);
    else {
      await own.query(FAILED, [...mine, JSON.stringify(reason)]);
      run.outcome = "failed";
      service.account?.refuse(reason.code);
      if (trace !== undefined) trace.root.error = reason.code;
    }
    if (reason?.code !== "internal") service.log.info({ job: id, reason }, "a job ended before it was done");
    else service.log.error({ job: id, err: error }, "a job failed");
    if (reason === undefined) throw error;
    return "ended";
  } finally {
    clearInterval(look);
    if (kind !== undefined) report.ran(begun.kind, run.outcome, (performance.now() - since) / 1_000);
  }
}

function runningJob(
  service: Service,
  kind: JobKind,
  ref: JobRef,
  { input, credential, attempt, change_id: changeId }: Begun,
  signal: AbortSignal,
): RunningJob {
  const caller = credentialOf(credential, ref.projectId);
  const db = service.db.behind(doorOf(caller, kind.needs(input)));
  return { service, db, caller, ref, changeId, attempt, input, signal };
}

/** The public reason why a job failed; undefined if it should be retried. */
function reasonOf(error: unknown, lastTry: boolean): { code: string; message: string } | undefined {
  if (error instanceof Refusal && (error.kind !== "unavailable" || lastTry)) {
    return { code: error.code, message: error.message };
  }
  if (!lastTry) return undefined;
  return FAILURE;
}
