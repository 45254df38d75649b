import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { placeOf } from "../../config/read-backups.ts";
import { type Finding, mistake, ok, unasked, warning, wordsOf } from "./finding.ts";
import type { Installation } from "./installation.ts";

const OLD_HOURS = 26;
const VERIFIED_DAYS = 31;

/** What instances reported about regular backups in a folder. */
interface Reported {
  /** When the newest one was complete. */
  finished: Date | undefined;
  /** When one was last verified; undefined if it never was, or the report does not say it. */
  verified: Date | undefined;
  /** Why the last attempt failed; null if it did not. */
  failed: string | null;
}

/** Reads the newest report, of any host; undefined if there is none. Members that a release does not report are left out. */
async function reportOf(installation: Installation, folder: string): Promise<Reported | undefined> {
  const [row] = await installation.query<{ report: Record<string, unknown> }>(
    "SELECT report FROM leadgate.backup_report WHERE folder = $1 ORDER BY reported_at DESC LIMIT 1",
    [folder],
  );
  const report = row?.report;
  if (report === undefined) return undefined;
  const dateOf = (value: unknown) =>
    typeof value === "string" && !Number.isNaN(Date.parse(value)) ? new Date(value) : undefined;
  const backups = Array.isArray(report.backups) ? (report.backups as Record<string, unknown>[]) : [];
  const newest = (member: string) =>
    backups.flatMap((backup) => dateOf(backup[member]) ?? []).sort((a, b) => b.getTime() - a.getTime())[0];
  const { failed } = report as { failed?: { why?: string } | null };
  return {
    finished: newest("finished"),
    verified: dateOf(report.verified),
    failed: failed?.why ?? null,
  };
}

/** Regular backups: whether they are made, elsewhere, lately, and verified. */
export async function checkBackups(installation: Installation): Promise<Finding[]> {
  const { backups, databaseUrl, dataDir } = installation.config;
  const isEmbedded = databaseUrl === undefined;
  if (backups === undefined)
    return [
      isEmbedded
        ? mistake("Regular backups are off (BACKUPS).", 'Set BACKUPS={"to":"FOLDER"}, on another disk.')
        : warning(
            "Leadgate makes no regular backups of this database.",
            'Set BACKUPS={"to":"FOLDER"}, or be sure that the tools of your PostgreSQL make and verify them.',
          ),
    ];
  const found: Finding[] = [];
  const to = placeOf(backups);
  // With a PostgreSQL of the operator's, where its files are is not known.
  if (isEmbedded && backups.store === undefined && (await isSameDisk(to, dataDir)))
    found.push(
      mistake(
        `Backups (${to}) are on the disk of the data, and would be lost with it.`,
        'Set BACKUPS={"to":"FOLDER"} to a folder of another disk or machine, or copy them there.',
      ),
    );
  const database = await installation.database().catch(() => undefined);
  if (database === undefined) return [...found, unasked];
  const report = await reportOf(installation, to);
  const verify = "Try one: `leadgate backup verify --from FOLDER`.";
  const hours =
    report?.finished === undefined ? undefined : (Date.now() - report.finished.getTime()) / 3_600_000;
  if (hours === undefined)
    found.push(
      mistake(
        `There is no backup in ${to} yet.`,
        "Make one: `leadgate backup --to FOLDER`; the log of the worker says why it made none.",
      ),
    );
  else if (hours > OLD_HOURS)
    found.push(
      mistake(
        `The newest backup is ${Math.round(hours)} hours old${report?.failed === null ? "" : `; the last attempt failed: ${report?.failed}`}.`,
        "Make one by hand (`leadgate backup --to FOLDER`), then look in the log of the worker why none was made.",
      ),
    );
  else if (report !== undefined && report.failed !== null)
    found.push(
      warning(
        `The last attempt at a backup failed: ${report.failed}.`,
        "Make space in the folder, or mount it.",
      ),
    );
  const days =
    report?.verified === undefined ? undefined : (Date.now() - report.verified.getTime()) / 86_400_000;
  if (hours !== undefined && days === undefined)
    found.push(warning("No backup is known to be verified.", verify));
  else if (days !== undefined && days > VERIFIED_DAYS)
    found.push(warning(`The last backup that was verified is from ${Math.round(days)} days ago.`, verify));
  return found.length > 0 ? found : [ok(`The newest backup is ${Math.round(hours ?? 0)} hours old.`)];
}

/** Whether backups have the secret key. */
export async function checkPassphrase({ config }: Installation): Promise<Finding[]> {
  if (config.backups === undefined) return [ok("There are no regular backups.")];
  if (config.backupPassphrase !== undefined) return [ok("BACKUP_PASSPHRASE is set.")];
  return [
    warning(
      "BACKUP_PASSPHRASE is missing: backups are without the secret key, and a restore without it ends all sessions and authenticator apps.",
      "Set BACKUP_PASSPHRASE (or BACKUP_PASSPHRASE_FILE), and keep it somewhere else than the backups.",
    ),
  ];
}

async function isSameDisk(folder: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([deviceOf(folder), deviceOf(other)]);
  return one === two;
}

/** The device of a folder, or of the nearest one above it that exists. */
async function deviceOf(folder: string): Promise<number> {
  try {
    return (await stat(folder)).dev;
  } catch (error) {
    if (dirname(folder) === folder) throw new Error(wordsOf(error), { cause: error });
    return await deviceOf(dirname(folder));
  }
}
