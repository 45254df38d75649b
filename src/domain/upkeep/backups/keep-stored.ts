import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BackupSettings } from "../../../config/read-backups.ts";
import { within } from "../../../core/within.ts";
import type { FoundBackup } from "../../../db/backup/backup.ts";
import { claimFolder, claimStore, ownerOf } from "../../../db/backup/owner.ts";
import { Follower } from "../../../db/backup/store/follower.ts";
import { Store } from "../../../db/backup/store/store.ts";
import { completesBackup, isKeptInStore, storedBackups } from "../../../db/backup/stored-backups.ts";
import type { Source } from "../../../db/backup/take-backup.ts";
import type { StoreState } from "../../operation/service/backup-state.ts";
import type { Service } from "../../operation/service/service.ts";
import type { InStore } from "./remove-old.ts";
import { removeStored } from "./remove-stored.ts";
import { reportedArrival } from "./report.ts";

const LOOK_MS = 1_000;
const AGAIN_MS = 60_000;
const LIST_MS = 60 * 60_000;
const LONGEST_LIST_MS = 30_000;

/** The copy of the folder of backups in a store. */
export interface StoreCopy extends InStore {
  /** The complete backups of the store, the oldest first, as of the last list of it. */
  backups(): readonly FoundBackup[];
  /** Lists the store now, for at most half a minute; nothing changes if it is away. */
  list(): Promise<void>;
  stop(): Promise<void>;
}

interface StoreOptions {
  settings: BackupSettings & { store: NonNullable<BackupSettings["store"]> };
  source: Source;
}

/** Sends what is complete of the folder of backups to the store as long as the service runs, and removes there what is too old. */
export function keepStored(
  { db, log, backups: state }: Pick<Service, "db" | "log" | "backups">,
  { settings, source }: StoreOptions,
): StoreCopy {
  const { address, keys, lockedDays } = settings.store;
  const lock = lockedDays === undefined ? undefined : ({ days: lockedDays, mode: "COMPLIANCE" } as const);
  const store = new Store(address, keys, { lock });
  const ending = new AbortController();
  const { signal } = ending;
  const folder = settings.to;
  let follower: Follower | undefined;
  let found: FoundBackup[] = [];
  let failed: StoreState["failed"];
  let arrived = new Date();

  /** Another service's store is not written to. */
  async function claim(): Promise<Follower> {
    const owner = await ownerOf(source.url, source.dataDir);
    await claimFolder(folder, owner);
    await claimStore(store, folder, { owner, signal });
    return new Follower({
      ...{ store, folder, isComplete: isKeptInStore, isLast: completesBackup },
      log: { info: (message) => log.info(message), warn: (fields, message) => log.warn(fields, message) },
    });
  }

  async function tend(): Promise<void> {
    const { files, whole, damaged } = await storedBackups(store, folder, { known: found, signal });
    for (const error of damaged) log.error({ err: error }, "a backup in the store is damaged");
    const isLocal = (name: string) => existsSync(join(folder, name));
    found = await removeStored(store, settings, { files, whole, isLocal, lockedDays, signal });
  }

  function note(): void {
    const figures = follower?.figures();
    const { waiting, greatestDelayMs, failing } = figures ?? {};
    if (waiting?.files === 0) arrived = new Date();
    if (figures?.arrived !== undefined && figures.arrived > arrived) arrived = figures.arrived;
    state.store = {
      waitingBytes: waiting?.bytes,
      greatestDelay: greatestDelayMs === undefined ? undefined : greatestDelayMs / 1_000,
      arrived: arrived.toISOString(),
      failed: failed ?? (failing && { at: failing.since.toISOString(), why: failing.reason }),
    };
  }

  /** The newest backup of the folder that the store has. */
  const newestStored = async (): Promise<string | undefined> =>
    (await readdir(folder).catch(() => []))
      .sort()
      .findLast((name) => follower?.isStored(`${name}/backup.json`));

  /** A store that was away before a restart stays late. */
  async function rememberArrival(): Promise<void> {
    const reported = await reportedArrival({ db }, settings);
    if (reported !== undefined && reported < arrived && state.store?.waitingBytes !== 0) arrived = reported;
  }

  async function keepOn(): Promise<void> {
    await rememberArrival().catch((error: unknown) =>
      log.debug({ err: error }, "when a file arrived in the store for the last time could not be read"),
    );
    let newest: string | undefined;
    for (let listedAt = Number.NEGATIVE_INFINITY; !signal.aborted; ) {
      try {
        follower ??= await claim();
        const now = await newestStored();
        // When another backup has arrived, an old one may go.
        if (now !== newest || performance.now() - listedAt > LIST_MS) {
          await tend();
          [newest, listedAt] = [now, performance.now()];
        }
        failed = undefined;
        await sleep(LOOK_MS, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        if (failed === undefined) {
          state.failures += 1;
          log.error({ err: error }, "the store of backups cannot be used; it will be tried again");
        }
        failed = { at: failed?.at ?? new Date().toISOString(), why: (error as Error).message };
        await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  note();
  const watching = setInterval(note, LOOK_MS).unref();
  const kept = keepOn();
  return {
    isStored: (path) => follower?.isStored(path) ?? false,
    backups: () => found,
    async list() {
      await within(LONGEST_LIST_MS, tend()).catch(() => undefined);
    },
    async stop() {
      clearInterval(watching);
      ending.abort(new Error("the service stops"));
      await Promise.all([kept, follower?.stop()]);
    },
  };
}
