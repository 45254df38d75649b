import { basename, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { isStoreAddress, readStoreAddress, storeName } from "../core/store-address.ts";
import type { FoundBackup } from "../db/backup/backup.ts";
import { findBackup } from "../db/backup/find-backup.ts";
import { Store } from "../db/backup/store/store.ts";
import { fetchBackup, fetchDescriptions } from "../db/backup/stored-backups.ts";
import { UsageError } from "./command.ts";
import { fetchedInto } from "./scratch.ts";

/** The store of an address on the command line, and the backup in it that the address names, if it names one. */
export function storeAt(config: Config, given: string): { store: Store; backup: string | undefined } {
  const { storeKeys: keys, backups } = config;
  if (keys === undefined)
    throw new UsageError(
      "A store needs an access key. Set BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.",
    );
  const { prefix, ...server } = read(given);
  const [, parent = "", backup] = /^(?:(.*)\/)?(leadgate-[^/]+Z)$/.exec(prefix) ?? [];
  const address = { ...server, prefix: backup === undefined ? prefix : parent };
  const known = backups?.store;
  const isKnown = known !== undefined && storeName(known.address) === storeName(address);
  const days = isKnown ? known.lockedDays : undefined;
  const lock = days === undefined ? undefined : ({ days, mode: "COMPLIANCE" } as const);
  return { store: new Store(address, keys, { lock }), backup };
}

function read(given: string) {
  try {
    return readStoreAddress(given);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

interface Finding {
  scratch: string;
  /** The time at which the backup must have been complete. */
  at?: Date | undefined;
  onProgress?: (bytes: number) => void;
  /** Only the description of a backup in a store is fetched. */
  isDescription?: boolean;
}

/** Finds the backup in a folder, a file or a store, as `findBackup` does; of a store it is fetched into the scratch folder. */
export async function findAt(
  config: Config,
  from: string,
  { scratch, at, onProgress, isDescription = false }: Finding,
): Promise<FoundBackup> {
  if (!isStoreAddress(from)) return await findBackup(from, scratch, at);
  const { store: place, backup } = storeAt(config, from);
  const folder = fetchedInto(scratch);
  const files = await fetchDescriptions(place, folder);
  const found = await findBackup(resolve(folder, backup ?? ""), scratch, at);
  if (!isDescription) await fetchBackup(place, files, found, { onProgress });
  return { ...found, path: `${place.name}/${basename(found.folder)}` };
}
