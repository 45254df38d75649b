import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { BackupSettings } from "../../../config/read-backups.ts";
import { archiveFolder, backupsIn, type FoundBackup, sizeOf } from "../../../db/backup/backup.ts";
import { removeUnfinished, type Source, takeBackup } from "../../../db/backup/take-backup.ts";
import { dropSlot } from "../../../db/backup/wal/receive.ts";
import { RELEASE } from "../../../db/migration/release.ts";
import type { BackupState } from "../../operation/service/backup-state.ts";
import type { Service } from "../../operation/service/service.ts";
import { ARCHIVE_SLOT, type Archive, keepArchived } from "./archive.ts";
import { isDue } from "./due.ts";
import { keepStored, type StoreCopy } from "./keep-stored.ts";
import { MOST_WAITING, removeOld, waitingLog } from "./remove-old.ts";
import { reportBackups } from "./report.ts";
import { readVerified, type VerifyOptions, verifyNewest } from "./verify-regularly.ts";

/** The advisory lock of the instance that makes a backup. */
const BACKUP_LOCK = 7_237_005;
/** After the start, requests come first. */
const FIRST_MS = 10_000;
const LOOK_MS = 30_000;
const AGAIN_MS = 15 * 60_000;
/** A backup at night leaves the disk to requests: 50 MB each second. */
const KILOBYTES_PER_SECOND = 51_200;

export interface BackupOptions extends VerifyOptions {
  /** The file with the name of the archive that the log of this database belongs to. */
  lineFile: string;
}

/** Makes sure that a server whose log is no longer archived does not keep it. */
export const endArchive = (source: Source): Promise<void> =>
  source.kind === "files" ? dropSlot(source.url, ARCHIVE_SLOT) : Promise.resolve();

/** Makes regular backups as long as the service runs, and archives the log if that is wished. Returns a function that ends it. */
export function keepBackedUp(service: Service, options: BackupOptions): () => Promise<void> {
  const { settings, source } = options;
  const state = service.backups;
  const ending = new AbortController();
  const { signal } = ending;
  const archive =
    source.kind === "files" ? keepArchived(service, { ...options, url: source.url, state }) : undefined;
  const stored =
    settings.store === undefined
      ? undefined
      : keepStored(service, { settings: { ...settings, store: settings.store }, source });
  let failedAt: number | undefined;
  let running: Promise<unknown> = Promise.resolve();

  async function look(): Promise<void> {
    if (failedAt !== undefined && Date.now() - failedAt < AGAIN_MS) return;
    let kept = await backupsOf(settings, stored);
    note(state, kept.at(-1));
    const line = await archive?.line();
    if (signal.aborted) return;
    // Nothing can be restored from a new archive before there is a backup from which it goes on; one that was made by hand is none.
    const isWanted = () => {
      const newest = kept.findLast(({ backup }) => line === undefined || backup.log?.line === line);
      return newest === undefined || isDue(new Date(), newest.backup.started, settings.at);
    };
    if (isWanted() && source.kind === "rows" && stored !== undefined) {
      // Another instance may have sent one.
      await stored.list();
      kept = await backupsOf(settings, stored);
    }
    if (isWanted()) {
      await service.db.locks.alone(BACKUP_LOCK, () => backUp(service, options, { line, stored, signal }));
      state.failed = undefined;
    }
    failedAt = undefined;
    if (stored !== undefined && kept.length > 0) await makeRoom(stored, line);
  }

  /** Removes what the store has and the folder does not need, and ends an archive of which too much waits. */
  async function makeRoom(inStore: StoreCopy, line: string | undefined): Promise<void> {
    // Until the store was listed after a start, everything would seem to wait.
    if (state.store?.waitingBytes === undefined) return;
    await removeOld(settings, { line, inStore });
    if (line === undefined || archive === undefined) return;
    const folder = archiveFolder(settings.to, line);
    const { bytes, since } = await waitingLog(settings.to, basename(folder), inStore);
    if (bytes <= MOST_WAITING) return;
    state.failures += 1;
    service.log.error(
      { archive: folder, bytes, since },
      "more than 4 GB of log wait for the store; what was written since then cannot be restored from the store, except the state of the backup that is made now",
    );
    archive.startAgain("more than 4 GB of it wait for the store");
  }

  async function lookWhetherVerified(): Promise<void> {
    const kept = await backupsOf(settings);
    const [oldest, newest] = [kept[0], kept.findLast(({ backup }) => backup.log?.line) ?? kept.at(-1)];
    const last = await readVerified(settings.to);
    state.verified = last?.at;
    // The first night after the first backup.
    const since = last?.at ?? oldest?.backup.started;
    if (oldest === undefined || newest === undefined || !isDue(new Date(), since, settings.at)) return;
    const failed = state.verifyFailed;
    if (failed !== undefined && !isDue(new Date(), failed.at, settings.at)) return;
    await service.db.locks.alone(BACKUP_LOCK, () =>
      verify(service, options, { newest, oldest, archive, signal }),
    );
  }

  // The page is not worth a failed backup.
  const report = async () => {
    state.isOnSameDisk =
      stored === undefined && source.kind === "files" && (await isSameDisk(settings.to, options.dataDir));
    await reportBackups(service, settings, await backupsOf(settings, stored), state).catch((error: unknown) =>
      service.log.debug({ err: error }, "the state of backups could not be reported; it will be tried again"),
    );
  };

  const lookAndReport = async () => {
    await look().catch((error: unknown) => {
      if (signal.aborted) return;
      failedAt = Date.now();
      state.failures += 1;
      state.failed = { at: new Date().toISOString(), why: (error as Error).message };
      service.log.error({ err: error }, "the backup failed; it will be tried again in 15 minutes");
    });
    if (!signal.aborted) await report();
    if (signal.aborted || failedAt !== undefined) return;
    await lookWhetherVerified().catch((error: unknown) => {
      if (signal.aborted) return;
      state.failures += 1;
      state.verifyFailed = { at: new Date().toISOString(), why: (error as Error).message };
      service.log.error(
        { err: error },
        "the newest backup could not be verified; it will be tried again tomorrow",
      );
    });
  };

  const again = () => {
    running = lookAndReport();
    void running.then(() => {
      if (!signal.aborted) timer = setTimeout(again, LOOK_MS).unref();
    });
  };
  let timer = setTimeout(again, FIRST_MS).unref();
  return async () => {
    clearTimeout(timer);
    ending.abort(new Error("the service stops"));
    await Promise.all([running, archive?.stop(), stored?.stop()]);
  };
}

async function backUp(
  service: Service,
  { settings, source, passphrase }: BackupOptions,
  { line, stored, signal }: { line: string | undefined; stored: StoreCopy | undefined; signal: AbortSignal },
): Promise<void> {
  const { log, config, backups: state } = service;
  await removeUnfinished(settings.to);
  const began = performance.now();
  const taken = await takeBackup(source, {
    ...{ to: settings.to, release: RELEASE, secretKeys: config.secretKeys, passphrase, line, signal },
    kilobytesPerSecond: KILOBYTES_PER_SECOND,
  });
  const removed = await removeOld(settings, {
    ...{ line, inStore: stored },
    ...(state.store?.waitingBytes === undefined ? { mostWaiting: Number.POSITIVE_INFINITY } : {}),
  });
  note(state, taken);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const { store } = state;
  const behind =
    store === undefined
      ? {}
      : { store_delay_seconds: store.greatestDelay ?? null, store_waiting_bytes: store.waitingBytes ?? null };
  log.info({ backup: taken.folder, bytes: taken.bytes, seconds, removed, ...behind }, "a backup was made");
}

async function verify(
  { log, backups: state }: Service,
  options: BackupOptions,
  {
    newest,
    oldest,
    archive,
    signal,
  }: { newest: FoundBackup; oldest: FoundBackup; archive: Archive | undefined; signal: AbortSignal },
): Promise<void> {
  const verified = await verifyNewest(options, { newest, oldest, archive, signal });
  state.verified = verified.at;
  state.verifyFailed = undefined;
  log.info(verified, "the newest backup and its archive were restored and compared");
}

/** The complete backups of a service, the oldest first, with those that only the store has; none if its folder is not there yet. */
async function backupsOf({ to }: BackupSettings, stored?: StoreCopy): Promise<FoundBackup[]> {
  const local = await backupsIn(to).then(
    ({ whole }) => whole,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
      throw error;
    },
  );
  const others = (stored?.backups() ?? []).filter(
    ({ folder }) => !local.some((each) => each.folder === folder),
  );
  return [...others, ...local].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** Whether two folders are on the same disk; false as long as one does not exist. */
async function isSameDisk(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)));
  return a !== undefined && a.dev === b?.dev;
}

function note(state: BackupState, newest: FoundBackup | undefined): void {
  if (newest === undefined) return;
  state.last = {
    finished: newest.backup.finished,
    bytes: sizeOf(newest.backup),
  };
}
