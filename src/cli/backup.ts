import { rmSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { text as textOf } from "node:stream/consumers";
import type { Config } from "../config/config.ts";
import { backupsIn, sizeOf } from "../db/backup/backup.ts";
import { openWith } from "../db/backup/files/passphrase.ts";
import { findBackup } from "../db/backup/find-backup.ts";
import { takeBackup } from "../db/backup/take-backup.ts";
import { checkOthers, verifyBackup } from "../db/backup/verify.ts";
import { startEmbedded } from "../db/embedded/index.ts";
import { RELEASE } from "../db/migration/release.ts";
import { knownSecretKeys } from "../server/secret-keys.ts";
import { type Command, type Options, text, UsageError } from "./command.ts";

const PASSPHRASE = { "passphrase-file": { type: "string" } } as const;

export const backupCommand: Command = {
  name: "backup",
  usage:
    "backup --to FOLDER|FILE.tar [--rows] [--passphrase-file FILE]   (of the running service; --rows: the rows of all tables instead of the files of the embedded database)",
  options: { to: { type: "string" }, rows: { type: "boolean" }, ...PASSPHRASE },
  required: ["to"],
  async run({ config, options }) {
    const passphrase = await passphraseOf(config, options);
    const embedded =
      config.databaseUrl === undefined
        ? await startEmbedded({ dataDir: config.dataDir, pgBin: config.pgBin, attach: true })
        : undefined;
    const url = config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.url ?? "";
    const isRows = options.rows === true || embedded === undefined;
    const progress = progressTold("copied");
    try {
      const { folder, backup, bytes } = await takeBackup(
        {
          ...(isRows ? { kind: "rows", url } : { kind: "files", url: embedded.superuserUrl }),
          dataDir: embedded === undefined ? null : config.dataDir,
        },
        {
          to: text(options, "to"),
          release: RELEASE,
          secretKeys: await knownSecretKeys(config),
          passphrase,
          onProgress: progress.tell,
        },
      );
      return {
        backup: folder,
        kind: backup.kind,
        bytes,
        tables: backup.tables === null ? null : Object.keys(backup.tables).length,
        encrypted: backup.key !== null,
        secret_key: backup.secretKeys === null ? NO_KEY : "sealed by the passphrase",
      };
    } finally {
      progress.end();
      await embedded?.stop();
    }
  },
};

const NO_KEY =
  "not included: set BACKUP_PASSPHRASE or --passphrase-file, or keep a copy of DATA_DIR/secret-key or SECRET_KEY elsewhere";

export const backupVerify: Command = {
  name: "backup verify",
  usage:
    "backup verify --from FOLDER|FILE.tar [--passphrase-file FILE] [--scratch FOLDER]   (reads the backups and the archive of the log in a folder, restores the newest one into a server of its own and compares every table)",
  options: { from: { type: "string" }, scratch: { type: "string" }, ...PASSPHRASE },
  required: ["from"],
  async run({ config, options }) {
    const passphrase = await passphraseOf(config, options);
    return await inScratch(scratchOf(options), async (scratch) => {
      const from = text(options, "from");
      const found = await findBackup(from, scratch);
      const { backup, path } = found;
      const key = await keyState(backup.secretKeys, passphrase);
      const verified = await verifyBackup(found, { scratch, passphrase, pgBin: config.pgBin });
      if (verified.differences.length > 0)
        throw new Error(`The restored tables differ from the backup: ${verified.differences.join("; ")}.`);
      const isAlone = path === resolve(from);
      const others = isAlone ? { count: 0, unchecked: [] } : await checkOthers(found, passphrase);
      return {
        ...{ backup: path, kind: backup.kind, release: backup.release, finished: backup.finished },
        ...{ tables: verified.tables, rows: verified.rows, encrypted: Boolean(backup.key) },
        ...(verified.comparedAt === null ? {} : { compared_at: verified.comparedAt }),
        ...(backup.kind === "rows"
          ? {}
          : { restorable_until: verified.restorableUntil ?? NO_END, log_segments: verified.segments }),
        ...(isAlone ? {} : { other_backups: others.count }),
        result: verified.isCompared
          ? "restored, every table as it was"
          : "restored, but not compared: writers left no moment to count the tables when the backup was made",
        not_checked: [...verified.unchecked, ...others.unchecked],
        secret_key: key,
      };
    });
  },
};

const NO_END = "the end of the backup";

async function keyState(sealed: Parameters<typeof openWith>[1] | null, passphrase?: string): Promise<string> {
  if (sealed === null) return "not included";
  if (passphrase === undefined) return "included; not checked without the passphrase";
  await openWith(passphrase, sealed);
  return "included; the passphrase opens it";
}

export const backupList: Command = {
  name: "backup list",
  usage: "backup list [--from FOLDER]   (without --from, the folder of the regular backups)",
  options: { from: { type: "string" } },
  required: [],
  async run({ config, options }) {
    const from = options.from === undefined ? config.backups?.to : resolve(text(options, "from"));
    if (from === undefined) throw new UsageError("--from missing: no regular backups are set up (BACKUPS)");
    const { whole, damaged } = await backupsIn(from).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT") throw new Error(`There is no folder ${from}.`, { cause });
      if (cause.code === "ENOTDIR") throw new Error(`${from} is not a folder.`, { cause });
      throw cause;
    });
    return {
      folder: from,
      backups: whole.map(({ folder, backup }) => ({
        ...{ folder, finished: backup.finished, kind: backup.kind, release: backup.release },
        ...{ bytes: sizeOf(backup), encrypted: Boolean(backup.key) },
        secret_key: backup.secretKeys !== null,
      })),
      ...(damaged.length === 0 ? {} : { damaged: damaged.map(({ error }) => error.message) }),
    };
  },
};

export const backupKey: Command = {
  name: "backup key",
  usage: "backup key --from FOLDER|FILE.tar [--passphrase-file FILE]   (prints the secret key in a backup)",
  options: { from: { type: "string" }, ...PASSPHRASE },
  required: ["from"],
  async run({ config, options }) {
    const passphrase = await passphraseOf(config, options);
    if (passphrase === undefined) throw new UsageError("set BACKUP_PASSPHRASE or --passphrase-file");
    return await inScratch(scratchOf(options), async (scratch) => {
      const { backup } = await findBackup(text(options, "from"), scratch);
      if (backup.secretKeys === null) throw new Error("This backup does not have the secret key.");
      const keys = JSON.parse(await openWith(passphrase, backup.secretKeys)) as string[];
      return { SECRET_KEY: keys.join(",") };
    });
  },
};

/** The passphrase of `--passphrase-file` (`-`: standard input) or of BACKUP_PASSPHRASE; undefined if there is none. */
export async function passphraseOf(config: Config, options: Options): Promise<string | undefined> {
  if (options["passphrase-file"] === undefined) return config.backupPassphrase;
  const file = text(options, "passphrase-file");
  const given = (file === "-" ? await textOf(process.stdin) : await readFile(file, "utf8")).replace(
    /\r?\n$/,
    "",
  );
  if (given === "") throw new UsageError(`${file} is empty; it must have the passphrase in its first line`);
  return given;
}

const scratchOf = (options: Options): string | undefined =>
  options.scratch === undefined ? undefined : text(options, "scratch");

/**
 * Does work in a temporary folder in `parent` (by default that of the system), which is then removed; root's database user must be
 * able to enter it.
 */
export async function inScratch<T>(
  parent: string | undefined,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  const scratch = await mkdtemp(join(resolve(parent ?? tmpdir()), "leadgate-restore-"));
  if (process.getuid?.() === 0) await chmod(scratch, 0o711);
  const give = () => {
    // A server that runs in it ends when its files are gone.
    rmSync(scratch, { recursive: true, force: true });
    process.exit(1);
  };
  for (const event of ENDINGS) process.once(event, give);
  // The channel to the process that started this one does not keep it alive.
  process.channel?.unref();
  try {
    return await work(scratch);
  } catch (error) {
    throw isFull(error)
      ? new Error(
          `The disk of ${dirname(scratch)} is full. Free some room, or name a folder on another disk.`,
          {
            cause: error,
          },
        )
      : error;
  } finally {
    for (const event of ENDINGS) process.removeListener(event, give);
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What ends a command in the middle: signals, and the end of the process that started it. */
const ENDINGS = ["SIGINT", "SIGTERM", "disconnect"] as const;

const isFull = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === "ENOSPC" ||
  /No space left on device/.test((error as Error).message);

/** Shows how many bytes were copied, in place, on a terminal. */
function progressTold(verb: string): { tell(bytes: number): void; end(): void } {
  const isSeen = process.stderr.isTTY;
  return {
    tell: (bytes) => void (isSeen && process.stderr.write(`\r${Math.round(bytes / 1_048_576)} MB ${verb} `)),
    end: () => void (isSeen && process.stderr.write("\r\u001b[K")),
  };
}
