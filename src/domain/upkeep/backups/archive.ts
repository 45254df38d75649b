import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { BackupSettings } from "../../../config/read-backups.ts";
import { within } from "../../../core/within.ts";
import { archiveFolder } from "../../../db/backup/find-backup.ts";
import { checkRoom } from "../../../db/backup/room.ts";
import { dropSlot, LogLost, receiveWal, type WalReceiver } from "../../../db/backup/wal/receive.ts";
import type { BackupState } from "../../operation/service/backup-state.ts";
import type { Service } from "../../operation/service/service.ts";

/** The slot by which the server keeps what was not archived yet. */
export const ARCHIVE_SLOT = "leadgate_archive";
const LOOK_MS = 1_000;
const AGAIN_MS = 5_000;
const START_MS = 30_000;

/** The archive of the log of the embedded database. */
export interface Archive {
  /** The name of the archive that the log goes into; undefined if none is wished, or if it is not archived within half a minute. */
  line(): Promise<string | undefined>;
  stop(): Promise<void>;
}

interface ArchiveOptions {
  url: string;
  lineFile: string;
  settings: BackupSettings;
  state: BackupState;
}

/**
 * Archives the log as long as the service runs: begins again after every failure, and with a new archive if the server no longer
 * has what the old one lacks. Without the wish, makes sure that the server keeps no log for it.
 */
export function keepArchived(
  { log }: Pick<Service, "log">,
  { url, lineFile, settings, state }: ArchiveOptions,
): Archive {
  const ending = new AbortController();
  const { signal } = ending;
  let current = Promise.withResolvers<string | undefined>();
  let receiver: WalReceiver | undefined;

  async function archive(): Promise<void> {
    await checkRoom(settings.to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    const line = await readLine(lineFile);
    receiver = await receiveWal(url, archiveFolder(settings.to, line), {
      name: ARCHIVE_SLOT,
      isTemporary: false,
    });
    current.resolve(line);
    const watching = setInterval(() => {
      const until = receiver?.caughtUpAt();
      if (until !== undefined) state.archivedUntil = until.toISOString();
    }, LOOK_MS);
    const full = Promise.withResolvers<never>();
    const room = setInterval(() => checkRoom(settings.to).catch(full.reject), AGAIN_MS);
    try {
      await Promise.race([receiver.ended, full.promise]);
    } finally {
      clearInterval(watching);
      clearInterval(room);
      await receiver.stop();
      current = Promise.withResolvers();
    }
  }

  async function keepOn(): Promise<void> {
    if (!settings.log) {
      current.resolve(undefined);
      await dropSlot(url, ARCHIVE_SLOT);
      return;
    }
    for (let wasSaid = false; !signal.aborted; ) {
      try {
        await archive();
        wasSaid = false;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof LogLost) {
          log.warn({ err: error }, "the archive of the log has a gap; a new one begins, with a new backup");
          await writeLine(lineFile);
          await dropSlot(url, ARCHIVE_SLOT).catch(() => undefined);
        } else if (!wasSaid) {
          log.warn({ err: error }, "the log is not archived at the moment; it will be tried again");
          wasSaid = true;
        }
        await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const kept = keepOn().catch((error: unknown) => log.warn({ err: error }, "the log is not archived"));
  return {
    line: async () => {
      let line: string | undefined;
      await within(
        START_MS,
        current.promise.then((name) => (line = name)),
      );
      return line;
    },
    async stop() {
      ending.abort();
      current.resolve(undefined);
      await receiver?.stop();
      await kept;
    },
  };
}

/** The name of the archive that the log of this database goes into. A restored database gets another one. */
async function readLine(file: string): Promise<string> {
  const known = (await readFile(file, "utf8").catch(() => "")).trim();
  return known === "" ? await writeLine(file) : known;
}

async function writeLine(file: string): Promise<string> {
  const line = randomBytes(6).toString("hex");
  await writeFile(`${file}.new`, `${line}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return line;
}
