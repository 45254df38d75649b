import { resolve } from "node:path";
import { membersOf } from "./json-setting.ts";

/** The operator's settings of regular backups. */
export interface BackupSettings {
  /** The folder in which backups and the archive of the log are kept. */
  to: string;
  /** The time of day in the machine's time zone. */
  at: { hour: number; minute: number };
  /** For how many days backups are kept; the newest one is kept in any case. */
  keptDays: number;
  /** Whether the log of the embedded database is archived, so that any time between two backups can be restored. */
  log: boolean;
}

const MEMBERS = ["to", "at", "keptDays", "log"];

/**
 * Reads BACKUPS; throws an error that names the invalid part. The embedded database is backed up without it, into its data folder;
 * another one only if `to` is set. Undefined if there are no regular backups.
 */
export function readBackups(
  given: unknown,
  { dataDir, isEmbedded }: { dataDir: string; isEmbedded: boolean },
): BackupSettings | undefined {
  const asked = membersOf("BACKUPS", given, MEMBERS);
  const to = asked.to ?? (isEmbedded ? resolve(dataDir, "backups") : undefined);
  if (to !== undefined && (typeof to !== "string" || to.trim() === "")) throw wrong("to", to, "a folder");
  const keptDays = asked.keptDays ?? 7;
  if (!Number.isInteger(keptDays) || (keptDays as number) < 1 || (keptDays as number) > 3_650)
    throw wrong("keptDays", keptDays, "an integer from 1 to 3650");
  const log = asked.log ?? isEmbedded;
  if (typeof log !== "boolean") throw wrong("log", log, "true or false");
  if (log && !isEmbedded)
    throw new Error(
      "BACKUPS: log is true, but only the log of the embedded database can be archived. Use the tools of your PostgreSQL for that.",
    );
  const at = timeOf(asked.at);
  if (at === undefined || to === undefined) return undefined;
  return { to: resolve(to), at, keptDays: keptDays as number, log };
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
