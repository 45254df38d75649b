import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { BackupSettings } from "../../../config/read-backups.ts";
import { within } from "../../../core/within.ts";
import { archiveFolder } from "../../../db/backup/backup.ts";
import { checkRoom } from "../../../db/backup/files/room.ts";
import { claimFolder, ownerOf } from "../../../db/backup/owner.ts";
import { ArchiveEnds, EndMark, openArchive } from "../../../db/backup/wal/archive.ts";
import { dropSlot, receiveWal, type WalReceiver } from "../../../db/backup/wal/receive.ts";
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
  /** Waits until everything before a position of the log is archived; false if that does not happen within half a minute. */
  reached(lsn: bigint): Promise<boolean>;
  /** Ends this archive, so that a new one begins. */
  startAgain(why: string): void;
  stop(): Promise<void>;
}

interface ArchiveOptions {
  url: string;
  dataDir: string;
  lineFile: string;
  settings: BackupSettings;
  passphrase: string | undefined;
  state: BackupState;
}

/**
 * Archives the log as long as the service runs: begins again after every failure, and with a new archive if the server no longer
 * has what the old one lacks. Without the wish, makes sure that the server keeps no log for it.
 */
export function keepArchived(
  { log }: Pick<Service, "log">,
  { url, dataDir, lineFile, settings, passphrase, state }: ArchiveOptions,
): Archive {
  const ending = new AbortController();
  const { signal } = ending;
  let current = Promise.withResolvers<string | undefined>();
  let receiver: WalReceiver | undefined;
  let ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);

  async function archive(): Promise<void> {
    await checkRoom(settings.to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    await claimFolder(settings.to, await ownerOf(url, dataDir));
    const line = await readLine(lineFile);
    const folder = archiveFolder(settings.to, line);
    receiver = await receiveWal(url, { name: ARCHIVE_SLOT, isTemporary: false }, async (origin) => {
      const key = await openArchive(folder, origin, passphrase);
      return { folder, key, mark: await EndMark.open(folder) };
    });
    current.resolve(line);
    state.archiveFailed = undefined;
    const watching = setInterval(() => {
      const until = receiver?.caughtUpAt();
      if (until !== undefined) state.archivedUntil = until.toISOString();
    }, LOOK_MS);
    const full = Promise.withResolvers<never>();
    ended = Promise.withResolvers();
    const room = setInterval(() => checkRoom(settings.to).catch(full.reject), AGAIN_MS);
    try {
      await Promise.race([receiver.ended, full.promise, ended.promise]);
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
    state.archiveWantedSince = new Date().toISOString();
    for (let wasSaid = false; !signal.aborted; ) {
      try {
        await archive();
        wasSaid = false;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ArchiveEnds) {
          log.warn(
            { err: error },
            "the archive of the log cannot go on; a new one begins, with a new backup",
          );
          await writeLine(lineFile);
          await dropSlot(url, ARCHIVE_SLOT).catch(() => undefined);
        } else if (!wasSaid) {
          state.failures += 1;
          state.archiveFailed = { at: new Date().toISOString(), why: (error as Error).message };
          log.error({ err: error }, "the log is not archived at the moment; it will be tried again");
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
    reached: (lsn) =>
      within(START_MS, receiver?.reached(lsn) ?? new Promise(() => undefined)).catch(() => false),
    startAgain: (why) => ended.reject(new ArchiveEnds(why)),
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
