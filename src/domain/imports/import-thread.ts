import { Worker } from "node:worker_threads";
import { Refusal, type RefusalKind } from "../../core/refusal.ts";
import { type JobRef, JobTaken, type RunningJob } from "../jobs/job.ts";
import { type KeptCredential, keptCredential } from "../jobs/kept-credential.ts";
import { type Added, noteAdded } from "../operation/growth.ts";

/** The task of a thread: the dry run or the commit of one import. */
export interface ThreadTask {
  id: string;
  act: "check" | "commit";
  dataset: string | null;
}

export interface ThreadData extends ThreadTask {
  databaseUrl: string;
  /** Whether projects are distributed over the nodes of a cluster. */
  distributed: boolean;
  /** The time limit of a statement, in milliseconds. */
  limitMs: number;
  secretKeys: string[];
  ref: JobRef;
  credential: KeptCredential;
}

/** What a thread added to its project; see growth.ts. */
export interface ThreadAdded {
  kind: "added";
  added: Added;
}

/** The outcome of a thread; errors that the job handles keep their kind. */
export type ThreadOutcome =
  | { kind: "done"; result: Record<string, unknown> }
  | { kind: "taken"; message: string }
  | { kind: "refused"; refusal: Pick<Refusal, "code" | "message" | "retryAfter"> & { kind: RefusalKind } }
  | { kind: "failed"; error: unknown };

/** The young generation holds a batch: a smaller one copies its rows again and again. A small old generation grows in small steps. */
const HEAP = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 128 };

/**
 * Runs a dry run or a commit in a thread with its own heap and connections, and returns its result.
 * V8 would let the heap of the whole process grow by hundreds of megabytes for the garbage of a long file.
 */
export async function runInThread(
  { service, ref, caller, signal }: RunningJob,
  task: ThreadTask,
): Promise<Record<string, unknown>> {
  signal.throwIfAborted();
  const workerData: ThreadData = {
    ...task,
    ...{
      ref,
      databaseUrl: service.db.connections.url,
      distributed: service.db.isDistributed,
      limitMs: service.config.timeLimits.job,
      secretKeys: service.config.secretKeys,
      credential: keptCredential(caller),
    },
  };
  const worker = new Worker(new URL("./import-worker.ts", import.meta.url), {
    ...{ workerData, resourceLimits: HEAP, env: {} },
  });
  const abort = () => worker.postMessage("abort");
  signal.addEventListener("abort", abort, { once: true });
  try {
    return resultOf(await outcomeOf(worker, ref.projectId));
  } catch (error) {
    // The thread only knows that it was aborted; the signal knows why.
    if (signal.aborted) throw signal.reason;
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}

async function outcomeOf(worker: Worker, projectId: string): Promise<ThreadOutcome> {
  return await new Promise<ThreadOutcome>((resolve, reject) => {
    worker.on("message", (message: ThreadAdded | ThreadOutcome) => {
      if (message.kind === "added") noteAdded(projectId, message.added);
      else resolve(message);
    });
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread of an import ended with code ${code}`)));
  });
}

function resultOf(outcome: ThreadOutcome): Record<string, unknown> {
  switch (outcome.kind) {
    case "done":
      return outcome.result;
    case "taken":
      throw new JobTaken(outcome.message);
    case "refused": {
      const { kind, code, message, retryAfter } = outcome.refusal;
      throw new Refusal(kind, code, message, retryAfter === undefined ? {} : { retryAfter });
    }
    case "failed":
      throw outcome.error;
  }
}
