import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { Config } from "../config/config.ts";
import { backupsIn, sizeOf } from "../db/backup/backup.ts";
import { findBackup } from "../db/backup/find-backup.ts";
import { openWith } from "../db/backup/passphrase.ts";
import { takeBackup } from "../db/backup/take-backup.ts";
import { verifyBackup } from "../db/backup/verify.ts";
import { startEmbedded } from "../db/embedded/index.ts";
import { RELEASE } from "../db/migration/release.ts";
import { knownSecretKeys } from "../server/secret-keys.ts";
import { type Command, type Options, text, UsageError } from "./command.ts";

const PASSPHRASE = { "passphrase-file": { type: "string" } } as const;

export const backupCommand: Command = {
  name: "backup",
  usage:
    "backup --to FOLDER|FILE.tar [--rows] [--passphrase-file FILE]   (of the running service; --rows: tables instead of the files of the embedded database)",
  options: { to: { type: "string" }, rows: { type: "boolean" }, ...PASSPHRASE },
  required: ["to"],
  async run({ config, options }) {
    const passphrase = await passphraseOf(config, options);
    const embedded =
      config.databaseUrl === undefined
        ? await startEmbedded({ dataDir: config.dataDir, attach: true })
        : undefined;
    const url = config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.url ?? "";
    const isRows = options.rows === true || embedded === undefined;
    const progress = progressTold("copied");
    try {
      const { folder, backup, bytes } = await takeBackup(
        isRows ? { kind: "rows", url } : { kind: "files", url: embedded.superuserUrl },
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
    "backup verify --from FOLDER|FILE.tar [--passphrase-file FILE] [--scratch FOLDER]   (restores it into a server of its own and compares every table)",
  options: { from: { type: "string" }, scratch: { type: "string" }, ...PASSPHRASE },
  required: ["from"],
  async run({ config, options }) {
    const passphrase = await passphraseOf(config, options);
    return await inScratch(scratchOf(options), async (scratch) => {
      const found = await findBackup(text(options, "from"), scratch);
      const { backup } = found;
      const key = await keyState(backup.secretKeys, passphrase);
      const { differences, is_compared, ...counts } = await verifyBackup(found, scratch);
      if (differences.length > 0)
        throw new Error(`The restored tables differ from the backup: ${differences.join("; ")}.`);
      return {
        ...{ backup: found.folder, kind: backup.kind, release: backup.release, finished: backup.finished },
        ...counts,
        result: is_compared
          ? "restored, every table as it was"
          : "restored, but not compared: writers left no moment to count the tables when the backup was made",
        secret_key: key,
      };
    });
  },
};

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
    const found = await backupsIn(from);
    return {
      folder: from,
      backups: found.map(({ folder, backup }) => ({
        ...{ folder, finished: backup.finished, kind: backup.kind, release: backup.release },
        bytes: sizeOf(backup),
        secret_key: backup.secretKeys !== null,
      })),
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

/** The passphrase of `--passphrase-file` or of BACKUP_PASSPHRASE; undefined if there is none. */
export async function passphraseOf(config: Config, options: Options): Promise<string | undefined> {
  if (options["passphrase-file"] === undefined) return config.backupPassphrase;
  const file = text(options, "passphrase-file");
  const given = (await readFile(file, "utf8")).replace(/\r?\n$/, "");
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
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Shows how many bytes were copied, in place, on a terminal. */
function progressTold(verb: string): { tell(bytes: number): void; end(): void } {
  const isSeen = process.stderr.isTTY;
  return {
    tell: (bytes) => void (isSeen && process.stderr.write(`\r${Math.round(bytes / 1_048_576)} MB ${verb} `)),
    end: () => void (isSeen && process.stderr.write("\r\u001b[K")),
  };
}
