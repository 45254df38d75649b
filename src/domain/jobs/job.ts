import type { Needs } from "../../core/permission.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { MemberContext } from "../operation/operation.ts";
import type { Service } from "../operation/service/service.ts";

/** A job by its project and its id. */
export interface JobRef {
  projectId: string;
  id: string;
}

/** A job in the queue; `trace` is the span that put it there, as `traceparent` has it. */
export interface QueuedJob extends JobRef {
  trace?: string | undefined;
}

/** A running job, behind the door of the credential that started it. */
export interface RunningJob extends MemberContext {
  ref: JobRef;
  /** The change that it makes. */
  changeId: string | null;
  /** The number of this run of the job, which every statement that writes for it must name. */
  attempt: number;
  input: unknown;
  /** Aborts when the process stops or the job is cancelled; the work then ends with an error. */
  signal: AbortSignal;
}

/** A kind of work: what it requires of its caller and how it is done. The job keeps what `run` returns as its result. */
export interface JobKind {
  needs(input: unknown): Needs;
  /** How long its output is kept, as an interval of PostgreSQL. */
  keeps?(config: Service["config"]): string;
  /** Runs in the transaction that marks the job as done. */
  settle?(tx: Transaction, job: RunningJob, result: Record<string, unknown>): Promise<void>;
  /** Runs after that transaction; the job stays done if it fails. */
  afterwards?(job: RunningJob): Promise<void>;
  /** Whether a run continues where the last one ended; otherwise each run starts again. */
  resumes?: true;
  run(job: RunningJob): Promise<Record<string, unknown>>;
}

/** What callers see of an internal error. */
export const FAILURE = { code: "internal", message: "Something went wrong on our side. Start it again." };

/** The job no longer belongs to this run: it was cancelled, another run took over, or its slot is needed. */
export class JobTaken extends Error {}
