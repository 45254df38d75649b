import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import process from "node:process";
import { text as textOf } from "node:stream/consumers";
import type { Config } from "../config/config.ts";
import { isStoreAddress } from "../core/store-address.ts";
import { backupsIn, type FoundBackup, sizeOf } from "../db/backup/backup.ts";
import { openWith } from "../db/backup/files/passphrase.ts";
import { claimFolder, claimStore, ownerOf } from "../db/backup/owner.ts";
import { sendFolder } from "../db/backup/store/copy-folder.ts";
import { Store } from "../db/backup/store/store.ts";
import { completesBackup, fetchDescriptions } from "../db/backup/stored-backups.ts";
import { type Source, type TakenBackup, type TakeOptions, takeBackup } from "../db/backup/take-backup.ts";
import { checkOthers, verifyBackup } from "../db/backup/verify.ts";
import { startEmbedded } from "../db/embedded/index.ts";
import { RELEASE } from "../db/migration/release.ts";
import { knownSecretKeys } from "../server/secret-keys.ts";
import { type Command, type Options, text, UsageError } from "./command.ts";
import { fetchedInto, inScratch, progressTold, scratchOf } from "./scratch.ts";
import { findAt, storeAt } from "./stored.ts";

const PASSPHRASE = { "passphrase-file": { type: "string" } } as const;

export const backupCommand: Command = {
  name: "backup",
  usage:
    "backup --to FOLDER|FILE.tar|s3://… [--rows] [--passphrase-file FILE] [--scratch FOLDER]   (of the running service; --rows: the rows of all tables instead of the files of the embedded database; --scratch: where a backup for a store is made)",
  options: {
    to: { type: "string" },
    rows: { type: "boolean" },
    scratch: { type: "string" },
    ...PASSPHRASE,
  },
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
      const source: Source = {
        ...(isRows ? { kind: "rows", url } : { kind: "files", url: embedded.superuserUrl }),
        dataDir: embedded === undefined ? null : config.dataDir,
      };
      const wish = { release: RELEASE, secretKeys: await knownSecretKeys(config), passphrase };
      const taking = { ...wish, to: text(options, "to"), onProgress: progress.tell };
      const { path, backup, bytes } = isStoreAddress(taking.to)
        ? await takeForStore(config, source, { ...taking, scratch: scratchOf(options) })
        : await takeBackup(source, taking);
      return {
        backup: path,
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

/** Makes a backup in a temporary folder and sends it to a store. */
async function takeForStore(
  config: Config,
  source: Source,
  { scratch: parent, ...options }: TakeOptions & { scratch: string | undefined },
): Promise<TakenBackup> {
  const { store: place, backup } = storeAt(config, options.to);
  if (backup !== undefined) throw new UsageError("--to names a backup; it must name what is above it");
  return await inScratch({ parent, place: options.to }, async (scratch) => {
    const to = fetchedInto(scratch);
    const owner = await ownerOf(source.url, source.dataDir);
    await claimFolder(to, owner);
    await claimStore(place, to, { owner });
    const taken = await takeBackup(source, { ...options, to });
    const name = basename(taken.folder);
    const isComplete = (path: string) => path.startsWith(`${name}/`);
    await sendFolder(place, { folder: to, isComplete, isLast: completesBackup }, "", {
      onProgress: options.onProgress,
    });
    return { ...taken, path: `${place.name}/${name}` };
  });
}

const NO_KEY =
  "not included: set BACKUP_PASSPHRASE or --passphrase-file, or keep a copy of DATA_DIR/secret-key or SECRET_KEY elsewhere";

export const backupVerify: Command = {
  name: "backup verify",
  usage:
    "backup verify --from FOLDER|FILE.tar|s3://… [--passphrase-file FILE] [--scratch FOLDER]   (reads the backups and the archive of the log in a folder, restores the newest one into a server of its own and compares every table)",
  options: { from: { type: "string" }, scratch: { type: "string" }, ...PASSPHRASE },
  required: ["from"],
  async run({ config, options }) {
    const passphrase = await passphraseOf(config, options);
    const from = text(options, "from");
    return await inScratch({ parent: scratchOf(options), place: from }, async (scratch) => {
      const progress = progressTold("fetched");
      const found = await findAt(config, from, { scratch, onProgress: progress.tell });
      progress.end();
      const { backup, path } = found;
      const key = await keyState(backup.secretKeys, passphrase);
      const verified = await verifyBackup(found, { scratch, passphrase, pgBin: config.pgBin });
      if (verified.differences.length > 0)
        throw new Error(`The restored tables differ from the backup: ${verified.differences.join("; ")}.`);
      const isStored = isStoreAddress(from);
      const isAlone = !isStored && path === resolve(from);
      const others = isAlone
        ? { count: 0, unchecked: [] }
        : isStored
          ? await unfetched(found)
          : await checkOthers(found, passphrase);
      return {
        ...{ backup: path, kind: backup.kind, release: backup.release, finished: backup.finished },
        ...{ tables: verified.tables, rows: verified.rows, encrypted: Boolean(backup.key) },
        ...(verified.comparedAt === null ? {} : { compared_at: verified.comparedAt }),
        ...(backup.kind === "rows"
          ? {}
          : {
              restorable_until:
                verified.restorableUntil ?? (isStored ? verified.lastTransaction : null) ?? NO_END,
              log_segments: verified.segments,
            }),
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

/** The other backups of a store, which are not fetched. */
async function unfetched({ folder }: FoundBackup): Promise<{ count: number; unchecked: string[] }> {
  const count = (await backupsIn(dirname(folder))).whole.length - 1;
  if (count === 0) return { count, unchecked: [] };
  return {
    count,
    unchecked: [`${count} other backups of the store; name one: --from s3://bucket/…/leadgate-…Z?endpoint=…`],
  };
}

const NO_END = "the end of the backup";

async function keyState(sealed: Parameters<typeof openWith>[1] | null, passphrase?: string): Promise<string> {
  if (sealed === null) return "not included";
  if (passphrase === undefined) return "included; not checked without the passphrase";
  await openWith(passphrase, sealed);
  return "included; the passphrase opens it";
}

export const backupList: Command = {
  name: "backup list",
  usage: "backup list [--from FOLDER|s3://…]   (without --from, the folder or store of the regular backups)",
  options: { from: { type: "string" } },
  required: [],
  async run({ config, options }) {
    const known = config.backups;
    const given = options.from === undefined ? known?.to : text(options, "from");
    if (given === undefined) throw new UsageError("--from missing: no regular backups are set up (BACKUPS)");
    if (isStoreAddress(given)) return await listStored(storeAt(config, given).store);
    if (options.from === undefined && known?.store !== undefined)
      return await listStored(storeOf(known.store));
    const from = resolve(given);
    const { whole, damaged } = await backupsIn(from).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT") throw new Error(`There is no folder ${from}.`, { cause });
      if (cause.code === "ENOTDIR") throw new Error(`${from} is not a folder.`, { cause });
      throw cause;
    });
    return listed(from, { whole, damaged });
  },
};

const storeOf = ({ address, keys }: NonNullable<NonNullable<Config["backups"]>["store"]>): Store =>
  new Store(address, keys);

/** The backups of a store, by their descriptions. */
const listStored = (place: Store): Promise<object> =>
  inScratch({}, async (scratch) => {
    const folder = fetchedInto(scratch);
    await fetchDescriptions(place, folder);
    const { whole, damaged } = await backupsIn(folder);
    const there = (path: string) => path.replaceAll(folder, place.name);
    return listed(place.name, {
      whole: whole.map((found) => ({ ...found, folder: there(found.folder) })),
      damaged: damaged.map((found) => ({ ...found, error: { message: there(found.error.message) } })),
    });
  });

const listed = (
  place: string,
  { whole, damaged }: { whole: FoundBackup[]; damaged: { error: { message: string } }[] },
) => ({
  folder: place,
  backups: whole.map(({ folder, backup }) => ({
    ...{ folder, finished: backup.finished, kind: backup.kind, release: backup.release },
    ...{ bytes: sizeOf(backup), encrypted: Boolean(backup.key) },
    secret_key: backup.secretKeys !== null,
  })),
  ...(damaged.length === 0 ? {} : { damaged: damaged.map(({ error }) => error.message) }),
});

export const backupKey: Command = {
  name: "backup key",
  usage:
    "backup key --from FOLDER|FILE.tar|s3://… [--passphrase-file FILE]   (prints the secret key in a backup)",
  options: { from: { type: "string" }, ...PASSPHRASE },
  required: ["from"],
  async run({ config, options }) {
    const passphrase = await passphraseOf(config, options);
    if (passphrase === undefined) throw new UsageError("set BACKUP_PASSPHRASE or --passphrase-file");
    const from = text(options, "from");
    return await inScratch({ parent: scratchOf(options), place: from }, async (scratch) => {
      const { backup } = await findAt(config, from, { scratch, isDescription: true });
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
