import type { Permission } from "../../core/permission.ts";
import type { MemberContext } from "../operation/operation.ts";

/** A job by its project and its id. */
export interface JobRef {
  projectId: string;
  id: string;
}

/** A job that runs, behind the door of whoever asked for it. */
export interface RunningJob extends MemberContext {
  ref: JobRef;
  /** The how-manieth run of this job it is: statements that write for it name it. */
  attempt: number;
  input: unknown;
  /** Aborts when the process stops or the job is cancelled; the work then ends by an error. */
  signal: AbortSignal;
}

/** A kind of work: what it needs, and how it is done. It answers what is kept as the job's result. */
export interface JobKind {
  needs(input: unknown): Permission;
  /** How long what it made is kept, as an interval of PostgreSQL. */
  keeps?: string;
  /** Whether a run goes on where the last one ended; otherwise each begins anew. */
  resumes?: true;
  run(job: RunningJob): Promise<Record<string, unknown>>;
}

/** What is told of a fault of ours. */
export const FAILURE = { code: "internal", message: "Something went wrong on our side. Start it again." };

/** The job is no longer this run's: somebody cancelled it, or another run took over. */
export class JobTaken extends Error {}
