import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { BackupSettings } from "../../../config/read-backups.ts";
import { archiveFolder, type FoundBackup } from "../../../db/backup/backup.ts";
import { keepCount } from "../../../db/backup/counted.ts";
import { readChecked, writeChecked } from "../../../db/backup/files/checked-file.ts";
import { countAtPoint } from "../../../db/backup/table-figures.ts";
import type { Source } from "../../../db/backup/take-backup.ts";
import { lsnOf } from "../../../db/backup/wal/lsn.ts";
import type { Archive } from "./archive.ts";

/** What the last verification of a folder found, in its file `verified.json`. */
export interface LastVerified {
  /** The backup that was restored. */
  backup: string;
  at: string;
  seconds: number;
  /** Up to when everything could be restored; null for a backup of rows. */
  restorable_until: string | null;
}

const FILE = "verified.json";

/** What the last verification in a folder found; undefined if there was none. */
export const readVerified = (folder: string): Promise<LastVerified | undefined> =>
  readChecked<LastVerified>(join(folder, FILE)).catch(() => undefined);

const MEGABYTES = 192;
/** No backup is made meanwhile, and on a busy machine it may hardly get on. */
const LONGEST_MS = 12 * 60 * 60_000;
/** The command is the one that people run. */
const PROGRAM = join(import.meta.dirname, "../../../../bin/leadgate.js");

/** Which backups are verified, and where. */
export interface VerifyOptions {
  settings: BackupSettings;
  source: Source;
  passphrase: string | undefined;
  /** The folder in which backups are restored to be verified. */
  dataDir: string;
}

interface Verification {
  /** The newest backup, and the oldest one that is kept. */
  newest: FoundBackup;
  oldest: FoundBackup;
  archive: Archive | undefined;
  signal: AbortSignal;
}

/**
 * Counts all tables now, restores the newest backup and its archive up to there in a process of its own with the lowest priority, and has the
 * tables compared. Throws the reason if the backup could not be verified.
 */
export async function verifyNewest(
  { settings, source, passphrase, dataDir }: VerifyOptions,
  { newest, oldest, archive, signal }: Verification,
): Promise<LastVerified> {
  const began = performance.now();
  const log = newest.backup.log;
  const line = await archive?.line();
  if (archive !== undefined && log !== null && line !== undefined && log.line === line) {
    const point = await countAtPoint(source.url, `leadgate_${Date.now().toString(36)}`);
    if (point !== undefined && (await archive.reached(lsnOf(point.lsn))))
      await keepCount(archiveFolder(settings.to, line), point, lsnOf((oldest.backup.log ?? log).start));
  }
  const scratch = join(dataDir, "verifying");
  await rm(scratch, { recursive: true, force: true });
  // Root's database user must be able to pass through.
  await mkdir(scratch, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  try {
    const late = AbortSignal.timeout(LONGEST_MS);
    const words = ["backup", "verify", "--from", settings.to, "--scratch", scratch, "--json"];
    const either = AbortSignal.any([signal, late]);
    const found = await command(words, { passphrase, signal: either }).catch((error: unknown) => {
      throw late.aborted ? new Error("It did not end within twelve hours.", { cause: error }) : error;
    });
    const verified = {
      ...{ backup: newest.folder.slice(settings.to.length + 1), at: new Date().toISOString() },
      seconds: Math.round((performance.now() - began) / 100) / 10,
      restorable_until: typeof found.restorable_until === "string" ? found.restorable_until : null,
    };
    await writeChecked(join(settings.to, FILE), verified);
    return verified;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Runs a command of ours and returns its result. It ends with this process, and when `signal` is aborted. */
async function command(
  words: readonly string[],
  { passphrase, signal }: { passphrase: string | undefined; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const secret = passphrase === undefined ? [] : ["--passphrase-file", "-"];
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${MEGABYTES}`, PROGRAM, ...words, ...secret],
    // The channel tells the command when this process ends.
    { stdio: ["pipe", "pipe", "pipe", "ipc"] },
  );
  const stop = () => child.connected && child.disconnect();
  signal.addEventListener("abort", stop);
  try {
    if (child.pid !== undefined) runWhenIdle(child.pid);
    child.stdin?.on("error", () => undefined).end(passphrase);
    const outputs = [child.stdout, child.stderr].map((stream) => text(stream as Readable));
    const [out = "", err = ""] = (await Promise.all([...outputs, once(child, "close")])).map(String);
    const answer = JSON.parse(out || "{}") as Record<string, unknown> & { error?: { message: string } };
    if (child.exitCode === 0) return answer;
    throw new Error(
      answer.error?.message ?? (err.trim() || `it ended with ${child.exitCode ?? child.signalCode}`),
    );
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/**
 * Lets a process, and those that it starts, run only while nothing else wants the processor (SCHED_IDLE of Linux); where that cannot be set,
 * with the lowest priority, which may keep a request waiting for some milliseconds.
 */
function runWhenIdle(pid: number): void {
  setPriority(pid, constants.priority.PRIORITY_LOW);
  // Without the program, nothing happens.
  if (process.platform === "linux") execFile("chrt", ["-a", "-i", "-p", "0", String(pid)], () => undefined);
}
