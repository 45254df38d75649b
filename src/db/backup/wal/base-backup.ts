import type { Writable } from "node:stream";
import { lsnOf } from "./lsn.ts";
import { openReplication, type Wire } from "./replication.ts";

/** Where a base backup begins and ends in the log: it can be opened once everything up to `end` was applied. */
export interface BaseBackup {
  timeline: number;
  start: bigint;
  end: bigint;
  /** The size of the tar file. */
  bytes: number;
}

export interface BaseBackupOptions {
  /** At most so many kilobytes a second, so that requests keep the disk; undefined sets no limit. */
  kilobytesPerSecond?: number | undefined;
  /** Called every second with the bytes so far. */
  onProgress?: ((bytes: number) => void) | undefined;
  /** Stops the copy; its reason is thrown. */
  signal?: AbortSignal | undefined;
}

/**
 * Copies the files of a running server as a tar file into `out`, which the caller ends (PostgreSQL: BASE_BACKUP). The server checks
 * the checksums of its pages and reports an error if one is wrong. The log is not included.
 */
export async function copyFiles(
  url: string,
  out: Writable,
  { kilobytesPerSecond, onProgress, signal }: BaseBackupOptions = {},
): Promise<BaseBackup> {
  const connection = await openReplication(url);
  const failed = Promise.withResolvers<never>();
  out.once("error", failed.reject);
  failed.promise.catch(() => undefined);
  signal?.addEventListener("abort", () => failed.reject(signal.reason));
  let [bytes, isPaused] = [0, false];
  try {
    const options = [
      "LABEL 'leadgate'",
      "CHECKPOINT 'fast'",
      "WAL false",
      "WAIT false",
      "MANIFEST 'no'",
      ...(kilobytesPerSecond === undefined ? [] : [`MAX_RATE ${kilobytesPerSecond}`]),
    ];
    const take = (chunk: Buffer, wire: Wire) => {
      if (chunk[0] !== DATA) return;
      bytes += chunk.length - 1;
      // The parser uses its buffer again, so the bytes are copied.
      if (out.write(Buffer.from(chunk.subarray(1))) || isPaused) return;
      isPaused = true;
      wire.stream.pause();
      out.once("drain", () => {
        isPaused = false;
        wire.stream.resume();
      });
    };
    const progress = setInterval(() => onProgress?.(bytes), 1_000);
    const rows = await Promise.race([
      connection.command(`BASE_BACKUP (${options.join(", ")})`, { take }),
      failed.promise,
    ]).finally(() => clearInterval(progress));
    const [first, last] = [rows[0], rows.at(-1)];
    return {
      timeline: Number(first?.[1]),
      start: lsnOf(first?.[0] ?? ""),
      end: lsnOf(last?.[0] ?? ""),
      bytes,
    };
  } finally {
    await connection.end().catch(() => undefined);
  }
}

const DATA = "d".charCodeAt(0);
