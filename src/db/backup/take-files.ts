import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Backup, LogPlace } from "./backup.ts";
import { describeFiles, packedFile } from "./files/packed-file.ts";
import { countAtPoint } from "./table-figures.ts";
import { type BaseBackupOptions, copyFiles } from "./wal/base-backup.ts";
import { openClient } from "./wal/client.ts";
import { lsnOf, lsnText, segmentName } from "./wal/lsn.ts";
import { bytesOf, receiveWal } from "./wal/receive.ts";

export const BASE = "base.tar.zst";
export const LOG = "log";

export interface FilesOptions extends BaseBackupOptions {
  /** The archive of the log that goes on from this backup; null if none is kept. */
  line: string | null;
  /** Encrypts the files. */
  key: Buffer | null;
}

/** What a backup has besides what its caller knows. */
export type Contents = Pick<Backup, "files" | "tables" | "log" | "sequences" | "restoredBytes">;

/**
 * Copies the running server of `url` (a superuser's) into a folder: its files, and the log from their beginning to the point at which the
 * tables are counted.
 */
export async function takeFiles(url: string, folder: string, options: FilesOptions): Promise<Contents> {
  const name = `leadgate_${randomBytes(4).toString("hex")}`;
  const client = await openClient(url);
  const { key } = options;
  const receiver = await receiveWal(url, { name, isTemporary: true }, () =>
    Promise.resolve({ folder: join(folder, LOG), key }),
  ).catch(async (error) => {
    await client.end();
    throw error;
  });
  try {
    const base = await packedFile(folder, BASE, key);
    const { timeline, start, end, bytes } = await copyFiles(url, base.input, options).catch((error) => {
      base.input.destroy();
      throw error;
    });
    const files = [await base.finish()];
    const point = await countAtPoint(url, name);
    const last = point === undefined ? end : lsnOf(point.lsn);
    await client.query("SELECT pg_switch_wal()");
    await receiver.reached(last);
    await receiver.stop();
    const segmentBytes = bytesOf((await client.query("SHOW wal_segment_size")).rows[0].wal_segment_size);
    const log: LogPlace = {
      ...{ line: options.line, timeline, segmentBytes },
      ...{ start: lsnText(start), end: lsnText(last), point: point?.name ?? null },
    };
    await keepNeeded(join(folder, LOG), log);
    files.push(...(await describeFiles(folder, LOG)));
    return { files, tables: point?.tables ?? null, log, sequences: null, restoredBytes: bytes };
  } finally {
    await receiver.stop();
    await client.end().catch(() => undefined);
  }
}

/** Removes what was received of the log but is not needed for the backup. */
async function keepNeeded(folder: string, { timeline, segmentBytes, start, end }: LogPlace): Promise<void> {
  const [first, last] = [start, end].map((at) => segmentName(timeline, lsnOf(at), segmentBytes));
  for (const file of await readdir(folder)) {
    const name = file.slice(0, 24);
    if (name < (first ?? "") || name > (last ?? "")) await rm(join(folder, file));
  }
}
