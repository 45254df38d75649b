import { pipeline, type Readable, Transform, type TransformCallback } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { Refusal } from "../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../db/pool/database.ts";
import type { Service } from "../operation/service/service.ts";
import { CsvCells } from "./csv-cells.ts";
import type { ExportPlan } from "./export-sql.ts";

const SETTINGS = { datestyle: "ISO", max_parallel_workers_per_gather: "2" };
const CHECK_MS = 3_000;

/**
 * Returns the file of a plan as a stream once its first row is there, so that an error can still become a
 * refusal. The door is checked every three seconds. If it is closed, the reader leaves or nothing moves for a minute,
 * the stream is destroyed, its statement cancelled and its connection freed.
 */
export async function copyOut(service: Service, db: ProjectDb, plan: ExportPlan): Promise<Readable> {
  return await new Promise<Readable>((resolve, reject) => {
    db.transaction(async (tx) => {
      await tx.allow(0, SETTINGS);
      const file = new FileOf(plan);
      const stop = watch(service, db, file);
      const settled = new Promise<void>((done, failed) => {
        const copy = tx.connection.query(copyTo(plan.copy));
        // Later errors have no other listener, and an unhandled one would end the process.
        copy.on("error", () => undefined);
        pipeline(copy, file, (error) => (error ? failed(error) : done()));
      }).finally(stop);
      file.once("readable", () => resolve(file));
      file.once("error", () => undefined);
      try {
        await settled;
      } catch (error) {
        if ((error as { severity?: unknown }).severity === undefined) hangUp(service, tx);
        throw error;
      }
    }).catch(reject);
  });
}

/** Transforms COPY's output into the file: adds head and tail, and notes the time of the last step. */
class FileOf extends Transform {
  movedAt = performance.now();
  readonly #plan: ExportPlan;
  readonly #cells: CsvCells | undefined;
  #skip: number;

  constructor(plan: ExportPlan) {
    super({ highWaterMark: 256 * 1_024 });
    this.#plan = plan;
    this.#skip = plan.skip;
    if (plan.cells !== undefined) this.#cells = new CsvCells(plan.cells.kinds, plan.cells.delimiter);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#begin();
    this.movedAt = performance.now();
    this.push(this.#cells?.rows(chunk) ?? (this.#skip > 0 ? chunk.subarray(this.#skip) : chunk));
    this.#skip = 0;
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#begin();
    if (this.#plan.tail !== "") this.push(this.#plan.tail);
    done();
  }

  #begun = false;

  #begin(): void {
    if (!this.#begun && this.#plan.head !== "") this.push(this.#plan.head);
    this.#begun = true;
  }
}

/**
 * Destroys the file when its door closes or it makes no progress for too long. Returns a function that stops
 * watching.
 */
function watch({ config }: Service, db: ProjectDb, file: FileOf): () => void {
  const { exportPatienceMs: patience } = config;
  const timer = setInterval(
    () => {
      if (performance.now() - file.movedAt > patience) {
        const text =
          "The export was stopped because nothing was read for a minute. Narrow the filter, or read it faster.";
        file.destroy(new Refusal("unavailable", "export_stuck", text, { retryAfter: 2 }));
        return;
      }
      db.open().catch((error: unknown) => {
        // A database that is briefly away does not mean that the caller lost access.
        if (error instanceof Refusal) file.destroy(error);
      });
    },
    Math.min(CHECK_MS, patience),
  );
  return () => clearInterval(timer);
}

/**
 * Closes a connection in the middle of its statement. The statement must be cancelled as well, in case it has
 * nothing to send yet.
 */
function hangUp(service: Service, { connection }: Transaction): void {
  const client = connection as unknown as pg.Client & { processID: number };
  client.end().catch(() => undefined);
  service.db
    .query("SELECT pg_cancel_backend($1)", [client.processID])
    .catch((error: unknown) => service.log.warn({ err: error }, "an export's statement was not cancelled"));
}
