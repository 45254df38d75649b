import { pipeline, type Readable, Transform, type TransformCallback } from "node:stream";
import { to as copyTo } from "pg-copy-streams";
import { Refusal } from "../../core/refusal.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import type { Service } from "../operation/service/service.ts";
import type { ExportPlan } from "./export-sql.ts";
import { ReaderSpeed } from "./reader-speed.ts";

const SETTINGS = { datestyle: "ISO", max_parallel_workers_per_gather: "2" };
/** How much longer PostgreSQL waits for a reader than we do. */
const LONGER_MS = 30_000;
const CHECK_MS = 3_000;
const SAMPLE_MS = 1_000;
const BUFFER = 256 * 1_024;

/** How a file is read. */
export interface Reading {
  /** The bytes per second that the reader must take on average; null sets no minimum. */
  slowest: number | null;
  /** How long nothing may move, in milliseconds. */
  patienceMs: number;
  /** Ends the file, even before its first row. */
  signal?: AbortSignal;
  /**
   * Called when nothing more is copied, which may be before the last part is read, and is before its reader can ask for
   * the next file.
   */
  onCopied?: () => void;
}

/**
 * Returns the file of a plan as a stream once its first row is there, so that an error can still become a
 * refusal. The door is checked every three seconds. If it is closed, the reader leaves or is too slow, or nothing moves
 * for `patienceMs`, the stream is destroyed, its statement cancelled and its connection freed.
 */
export async function copyOut(
  service: Service,
  db: ProjectDb,
  plan: ExportPlan,
  reading: Reading,
): Promise<Readable> {
  return await new Promise<Readable>((resolve, reject) => {
    db.transaction(async (tx) => {
      // Linux counts a window that stays shut, too: PostgreSQL would give up a reader that pauses before we do.
      const noticing = { tcp_user_timeout: String(reading.patienceMs + LONGER_MS) };
      await tx.allow(0, { ...SETTINGS, ...noticing });
      reading.signal?.throwIfAborted();
      const file = new FileOf(plan);
      const stop = watch(service, db, file, reading);
      const settled = new Promise<void>((done, failed) => {
        const record = tx.record(plan.copy);
        file.once("readable", () => record?.end(0));
        file.once("close", () => record?.end(0, file.errored ?? undefined));
        const copy = tx.connection.query(copyTo(plan.copy));
        // Later errors have no other listener, and an unhandled one would end the process.
        copy.on("error", () => undefined);
        pipeline(copy, file, (error) => (error ? failed(error) : done()));
      }).finally(() => {
        stop();
        reading.onCopied?.();
      });
      file.once("readable", () => resolve(file));
      file.once("error", () => undefined);
      try {
        await settled;
      } catch (error) {
        if ((error as { severity?: unknown }).severity === undefined) tx.abandon();
        throw error;
      }
    }, "export").catch(reject);
  });
}

/** Transforms COPY's output into the file: adds head and tail, and notes the time and the size of what passed. */
class FileOf extends Transform {
  movedAt = performance.now();
  #made = 0;
  readonly #plan: ExportPlan;
  readonly #rows: ReturnType<ExportPlan["rows"]>;
  #skip: number;

  constructor(plan: ExportPlan) {
    super({ highWaterMark: BUFFER });
    this.#plan = plan;
    this.#skip = plan.skip;
    this.#rows = plan.rows();
  }

  /** The bytes that the reader has taken. */
  get taken(): number {
    return this.#made - this.readableLength;
  }

  /** Whether the reader, and not the database, is being waited for. */
  get isReady(): boolean {
    return this.readableLength >= BUFFER / 2;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#begin();
    this.movedAt = performance.now();
    const rows = this.#rows.rows(chunk);
    this.#give(this.#skip > 0 ? rows.subarray(this.#skip) : rows);
    if (rows.length > 0) this.#skip = 0;
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#begin();
    if (this.#plan.tail !== "") this.push(this.#plan.tail);
    done();
  }

  #begun = false;

  #begin(): void {
    if (!this.#begun && this.#plan.head !== "") this.#give(Buffer.from(this.#plan.head));
    this.#begun = true;
  }

  #give(bytes: Buffer): void {
    this.#made += bytes.length;
    this.push(bytes);
  }
}

/** Destroys the file when its door closes, its reader is too slow, or nothing moves. Returns a function that stops this. */
function watch(
  { config, log }: Service,
  db: ProjectDb,
  file: FileOf,
  { slowest, patienceMs, signal }: Reading,
): () => void {
  const { exportReaderMs: windowMs } = config;
  const abort = () => void file.destroy(signal?.reason as Error);
  signal?.addEventListener("abort", abort, { once: true });
  file.once("close", () => signal?.removeEventListener("abort", abort));
  const end = (code: string, text: string) =>
    file.destroy(new Refusal("unavailable", code, text, { retryAfter: 2 }));
  const checking = setInterval(
    () => {
      if (performance.now() - file.movedAt > patienceMs) {
        const seconds = Math.ceil(patienceMs / 1_000);
        end(
          "export_stuck",
          `The export was stopped: nothing moved for ${seconds} seconds. Narrow the filter.`,
        );
        return;
      }
      db.open().catch((error: unknown) => {
        // A database that is briefly away does not mean that the caller lost access.
        if (error instanceof Refusal) file.destroy(error);
      });
    },
    Math.min(CHECK_MS, patienceMs),
  );
  const speed = new ReaderSpeed(slowest ?? 0, windowMs);
  const sampling = setInterval(
    () => {
      if (!speed.isTooSlow(performance.now(), file.taken, file.isReady)) return;
      log.warn(
        { taken: file.taken, slowest, windowMs },
        "a streamed export was cut off because its reader took fewer bytes per second than EXPORTS allows",
      );
      end("slow_reader", `The export was stopped because less than ${slowest} bytes per second were read.`);
    },
    Math.min(SAMPLE_MS, windowMs / 10),
  );
  return () => {
    clearInterval(checking);
    clearInterval(sampling);
  };
}
