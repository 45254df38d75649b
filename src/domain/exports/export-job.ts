import type { Readable } from "node:stream";
import type { LeadsExport } from "../../contract/leads/query.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { leadConditions } from "../filter/sql/lead-conditions.ts";
import { withSchema } from "../filter/with-schema.ts";
import { type JobKind, JobTaken, type RunningJob } from "../jobs/job.ts";
import { waitForErasure } from "./erasing-lock.ts";
import { fileTooLarge, makeRoom } from "./kept-files.ts";
import { openFile, planFile } from "./open-export-file.ts";
import { rowCounter } from "./row-counter.ts";
import { clearExpired, clearFile } from "./sweep-exports.ts";

const PIECE = 1_048_576;

/** Stores one piece and the progress; does nothing if the job no longer belongs to this run or has to start again. */
const KEEP = `WITH mine AS (
    UPDATE job SET done = $4 WHERE project_id = $1 AND id = $2 AND attempt = $3 AND state = 'running' AND NOT restarts RETURNING id
  ), kept AS (
    INSERT INTO job_piece (project_id, job_id, number, bytes) SELECT $1, id, $5::integer, $6::bytea FROM mine RETURNING number
  ) SELECT number FROM kept`;

const EXPECT = `UPDATE job SET total = $4 WHERE project_id = $1 AND id = $2 AND attempt = $3 AND state = 'running'`;

/** Makes an export's file, piece by piece; it can be downloaded when it is complete. */
export const exportJob: JobKind = {
  needs: () => ({ any: ["leads:read"], exports: true }),
  keeps: ({ exports }) => `${exports.keptDays} days`,
  async settle(tx, { service, ref }, { bytes }) {
    const most = service.config.exports.keptBytes;
    if (most !== null) await makeRoom(tx, ref, Number(bytes), most);
  },
  async afterwards({ service, ref: { projectId } }) {
    await clearExpired(service, projectId);
  },
  async run(job) {
    const input = job.input as LeadsExport;
    const own = job.service.db.behind(serviceDoor(job.ref.projectId));
    const plan = await planFile(job, input);
    await own.query(EXPECT, [...mine(job), await expected(job, input)]);
    await waitForErasure(own, job.ref.projectId);
    const { exportPatienceMs, timeLimits } = job.service.config;
    const patienceMs = Math.max(exportPatienceMs, timeLimits.job);
    // Its reader is this process, which may wait for the database.
    const file = await openFile(job, plan, { slowest: null, patienceMs, signal: job.signal });
    try {
      return await keep(job, own, file, input.format ?? "csv");
    } finally {
      file.destroy();
    }
  },
};

async function keep(
  job: RunningJob,
  own: ProjectDb,
  file: Readable,
  format: NonNullable<LeadsExport["format"]>,
): Promise<{ bytes: number; pieces: number }> {
  const rows = rowCounter(format);
  const most = job.service.config.exports.keptBytes ?? Number.POSITIVE_INFINITY;
  let bytes = 0;
  let pieces = 0;
  let waiting: Buffer[] = [];
  let size = 0;
  const put = async () => {
    const kept = await own.query(KEEP, [...mine(job), rows.count, pieces, Buffer.concat(waiting)], {
      prepare: true,
    });
    if (kept.length === 0) throw new JobTaken("the export was cancelled, or a lead was erased");
    [pieces, waiting, size] = [pieces + 1, [], 0];
  };
  for await (const chunk of file as AsyncIterable<Buffer>) {
    rows.take(chunk);
    waiting.push(chunk);
    size += chunk.length;
    bytes += chunk.length;
    if (bytes > most) {
      await clearFile(own, job.ref);
      throw fileTooLarge(most);
    }
    if (size >= PIECE) await put();
  }
  if (size > 0 || pieces === 0) await put();
  return { bytes, pieces };
}

/** The expected number of rows, for the progress; null if counting takes too long. Ends with the job's signal. */
async function expected(job: RunningJob, input: LeadsExport): Promise<number | null> {
  const { text, values } = await withSchema(job, input, (schema) => {
    const { scope, where } = leadConditions(job.ref.projectId, input, schema);
    return { text: `SELECT count(*) AS count FROM lead WHERE ${where}`, values: scope.parameters.values };
  });
  const { db, signal, service } = job;
  const counted = db.transaction(async (tx) => {
    await tx.allow(service.config.timeLimits.job, { max_parallel_workers_per_gather: "2" });
    signal.addEventListener("abort", tx.abandon, { once: true });
    try {
      signal.throwIfAborted();
      return await tx.query<{ count: number }>(text, values);
    } finally {
      signal.removeEventListener("abort", tx.abandon);
    }
  });
  const [row] = await counted.catch((error: { code?: string }) => {
    signal.throwIfAborted();
    if (error.code === "57014") return [];
    throw error;
  });
  if (row === undefined) return null;
  const { limit = Number.POSITIVE_INFINITY, offset = 0 } = input;
  return Math.min(limit, Math.max(0, row.count - offset));
}

const mine = ({ ref, attempt }: RunningJob): [string, string, number] => [ref.projectId, ref.id, attempt];
