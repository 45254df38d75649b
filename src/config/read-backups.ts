import { resolve } from "node:path";
import { isStoreAddress, readStoreAddress, type StoreAddress } from "../core/store-address.ts";
import { membersOf } from "./json-setting.ts";

/** The operator's settings of regular backups. */
export interface BackupSettings {
  /** The folder in which backups and the archive of the log are kept, or from which they go to the store. */
  to: string;
  /** Undefined if they stay in the folder. */
  store: BackupStoreSettings | undefined;
  /** The time of day in the machine's time zone. */
  at: { hour: number; minute: number };
  /** For how many days backups are kept; the newest one is kept in any case. */
  keptDays: number;
  /** Whether the log of the embedded database is archived, so that any time between two backups can be restored. */
  log: boolean;
}

/** Where people find the backups: the folder, or the address of the store. */
export const placeOf = ({ to, store }: Pick<BackupSettings, "to" | "store">): string => store?.given ?? to;

/** The S3-compatible store to which backups go. */
interface BackupStoreSettings {
  /** The address as it was given, which has no secret. */
  given: string;
  address: StoreAddress;
  keys: StoreKeys;
  /** For how many days the store protects each file against everybody (S3 Object Lock); undefined if it does not. */
  lockedDays: number | undefined;
}

/** The access key of the store. */
export interface StoreKeys {
  id: string;
  secret: string;
}

const MEMBERS = ["to", "at", "keptDays", "log", "lockedDays"];

/**
 * Reads BACKUPS; throws an error that names the invalid part. The embedded database is backed up without it, into its data folder;
 * another one only if `to` is set. Undefined if there are no regular backups.
 */
export function readBackups(
  given: unknown,
  { dataDir, isEmbedded, keys }: { dataDir: string; isEmbedded: boolean; keys?: StoreKeys | undefined },
): BackupSettings | undefined {
  const asked = membersOf("BACKUPS", given, MEMBERS);
  const folder = resolve(dataDir, "backups");
  const to = asked.to ?? (isEmbedded ? folder : undefined);
  if (to !== undefined && (typeof to !== "string" || to.trim() === ""))
    throw wrong("to", to, "a folder or the address of a store");
  const keptDays = daysOf("keptDays", asked.keptDays ?? 7);
  const lockedDays = asked.lockedDays === undefined ? undefined : daysOf("lockedDays", asked.lockedDays);
  const store = to !== undefined && isStoreAddress(to) ? storeOf(to, keys, lockedDays) : undefined;
  if (store === undefined && lockedDays !== undefined)
    throw new Error("BACKUPS: lockedDays is set, but only a store (to: s3://…) can protect backups.");
  const log = asked.log ?? isEmbedded;
  if (typeof log !== "boolean") throw wrong("log", log, "true or false");
  if (log && !isEmbedded)
    throw new Error(
      "BACKUPS: log is true, but only the log of the embedded database can be archived. Use the tools of your PostgreSQL for that.",
    );
  const at = timeOf(asked.at);
  if (at === undefined || to === undefined) return undefined;
  return { to: store === undefined ? resolve(to) : folder, store, at, keptDays, log };
}

/** Reads the access key of the store; undefined if there is none. */
export function readStoreKeys({
  BACKUP_S3_ACCESS_KEY_ID: id,
  BACKUP_S3_SECRET_ACCESS_KEY: secret,
}: Readonly<Record<string, string | undefined>>): StoreKeys | undefined {
  if (!id && !secret) return undefined;
  if (!id) throw new Error("BACKUP_S3_SECRET_ACCESS_KEY is set without BACKUP_S3_ACCESS_KEY_ID; set both.");
  if (!secret)
    throw new Error("BACKUP_S3_ACCESS_KEY_ID is set without BACKUP_S3_SECRET_ACCESS_KEY; set both.");
  return { id, secret };
}

function storeOf(
  to: string,
  keys: StoreKeys | undefined,
  lockedDays: number | undefined,
): BackupStoreSettings {
  if (keys === undefined)
    throw new Error(
      "BACKUPS: to is the address of a store, which needs an access key. Set BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.",
    );
  try {
    return { given: to, address: readStoreAddress(to), keys, lockedDays };
  } catch (error) {
    throw new Error(`BACKUPS: ${(error as Error).message}`);
  }
}

function daysOf(name: string, given: unknown): number {
  if (!Number.isInteger(given) || (given as number) < 1 || (given as number) > 3_650)
    throw wrong(name, given, "an integer from 1 to 3650");
  return given as number;
}

/** Reads `02:00`; null turns regular backups off. */
function timeOf(given: unknown): { hour: number; minute: number } | undefined {
  if (given === null) return undefined;
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(String(given ?? "02:00")) ?? [];
  if (hour === undefined) throw wrong("at", given, 'a time of day such as "02:00", or null for no backups');
  return { hour: Number(hour), minute: Number(minute) };
}

const wrong = (name: string, given: unknown, form: string): Error =>
  new Error(`BACKUPS: ${name} is ${JSON.stringify(given)}; it must be ${form}.`);
