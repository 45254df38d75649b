import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { FoundBackup } from "../db/backup/backup.ts";
import { openWith } from "../db/backup/files/passphrase.ts";
import { restoreFiles } from "../db/backup/restore-files.ts";
import { restoreRows } from "../db/backup/restore-rows.ts";
import { OUR_MAJOR } from "../db/embedded/host/binaries.ts";
import { ownerName, tryLock } from "../db/embedded/host/owner-lock.ts";
import { syncFolder } from "../db/embedded/host/sync-folder.ts";
import { makeDataDir, startEmbedded } from "../db/embedded/index.ts";
import { clusterOf, majorOf } from "../db/embedded/server/cluster.ts";
import { forgetSuppressions } from "../domain/upkeep/collect-opt-outs.ts";
import { finishRestore } from "../domain/upkeep/finish-restore.ts";
import { knownSecretKeys } from "../server/secret-keys.ts";
import { openService } from "../server/start.ts";
import { passphraseOf } from "./backup.ts";
import { type Command, type Options, text, UsageError } from "./command.ts";
import { inScratch, progressTold } from "./scratch.ts";
import { findAt } from "./stored.ts";

export const restoreCommand: Command = {
  name: "restore",
  usage:
    "restore --from FOLDER|FILE.tar|s3://… [--to TIME] [--as-far-as-possible] [--passphrase-file FILE] [--without-key]   (into an empty DATA_DIR, or an empty DATABASE_URL; --as-far-as-possible: a damaged log up to where it is whole)",
  options: {
    from: { type: "string" },
    to: { type: "string" },
    "as-far-as-possible": { type: "boolean" },
    "passphrase-file": { type: "string" },
    "without-key": { type: "boolean" },
  },
  required: ["from"],
  async run({ config, options }) {
    const time = timeOf(options);
    // A .tar is unpacked, and a store fetched, next to where its data will be, because the system's temporary folder may be too small.
    const parent = config.databaseUrl === undefined ? config.dataDir : undefined;
    if (parent !== undefined) await makeDataDir(parent);
    const from = text(options, "from");
    return await inScratch({ parent, place: from }, async (scratch) => {
      const progress = progressTold("fetched");
      const found = await findAt(config, from, { scratch, at: time, onProgress: progress.tell });
      progress.end();
      const passphrase = await passphraseOf(config, options);
      const keys = await keysOf(config, options, { found, passphrase });
      const asFarAsPossible = options["as-far-as-possible"] === true;
      return config.databaseUrl === undefined
        ? await intoDataDir(config, found, { time, keys, passphrase, asFarAsPossible })
        : await intoDatabase(config, found, { time, keys, passphrase, asFarAsPossible });
    });
  },
};

/** The time of `--to`; it must say its distance from UTC, because a restore by the wrong hour loses data. */
function timeOf(options: Options): Date | undefined {
  if (options.to === undefined) return undefined;
  const given = text(options, "to");
  const time = new Date(given);
  if (!/(?:Z|[+-]\d\d:?\d\d)$/i.test(given) || Number.isNaN(time.getTime()))
    throw new UsageError(
      `--to is "${given}"; it must be a time with its zone, such as 2026-11-26T03:00:00Z or 2026-11-26T03:00:00+01:00`,
    );
  if (time.getTime() > Date.now()) throw new UsageError(`--to is ${given}, which is in the future`);
  return time;
}

interface Wish {
  time: Date | undefined;
  /** The secret keys; undefined to begin with a new one. */
  keys: string[] | undefined;
  passphrase: string | undefined;
  asFarAsPossible: boolean;
}

/**
 * The secret keys for the restored database: those of SECRET_KEY, or those in the backup. Undefined if a new one is to be made
 * (`--without-key`).
 */
async function keysOf(
  config: Config,
  options: Options,
  { found: { backup }, passphrase }: { found: FoundBackup; passphrase: string | undefined },
): Promise<string[] | undefined> {
  if (options["without-key"] === true) return undefined;
  const known = await knownSecretKeys(config);
  if (known.length > 0) return known;
  if (backup.secretKeys === null)
    throw new Error(
      "The backup does not have the secret key. Set SECRET_KEY to it, or add --without-key to begin with a new one: people with an " +
        "authenticator app then need `person end-factors`, and projects no longer know whom not to contact of leads that are gone.",
    );
  if (passphrase === undefined)
    throw new Error(
      "The secret key in the backup is sealed. Set BACKUP_PASSPHRASE or --passphrase-file; or SECRET_KEY to the key itself; or add " +
        "--without-key to begin with a new one: people with an authenticator app then need `person end-factors`, and projects no longer " +
        "know whom not to contact of leads that are gone.",
    );
  return JSON.parse(await openWith(passphrase, backup.secretKeys)) as string[];
}

/** Restores into a folder inside the data folder, ends what the backup brought back, and only then puts all in its place. */
async function intoDataDir(config: Config, found: FoundBackup, wish: Wish) {
  const { keys } = wish;
  const { dataDir } = config;
  const work = join(dataDir, "restoring");
  await makeDataDir(dataDir);
  const lock = tryLock(dataDir);
  if (lock === undefined)
    throw new Error(
      `${dataDir} is in use by ${await ownerName(dataDir)}; stop it first, or set DATA_DIR to another folder`,
    );
  try {
    const former = await formerOf(dataDir, found);
    await rm(work, { recursive: true, force: true });
    const reached = await restoreInto(work, found, { ...wish, pgBin: config.pgBin });
    // Also a key that came by SECRET_KEY: a start without it would refuse the database.
    if (keys !== undefined && !existsSync(join(dataDir, "secret-key")))
      await writeFile(join(work, "secret-key"), `${keys.join(",")}\n`, { mode: 0o600 });
    const ended = await endWhatCameBack(
      { ...config, dataDir: work, secretKeys: keys === undefined ? config.secretKeys : keys },
      keys === undefined,
    );
    if (former !== undefined) {
      await rename(clusterOf(dataDir).folder, former);
      await rename(join(dataDir, SECRET), `${former}.secret`);
    }
    for (const name of [SECRET, "secret-key", "postgres"])
      if (existsSync(join(work, name))) await rename(join(work, name), join(dataDir, name));
    await syncFolder(dataDir);
    const kept = former === undefined ? {} : { former_database: former };
    return { data_dir: dataDir, backup: found.path, ...reached, ...kept, ended };
  } finally {
    await rm(work, { recursive: true, force: true });
    lock.release();
  }
}

const SECRET = "postgres.secret";

/** Restores into a folder that does not exist; returns what was reached. */
async function restoreInto(
  work: string,
  found: FoundBackup,
  wish: Wish & { pgBin: string | undefined },
): Promise<object> {
  const { time, passphrase, asFarAsPossible, pgBin } = wish;
  if (found.backup.kind === "rows") {
    refuseTime(time);
    const server = await startEmbedded({ dataDir: work, pgBin });
    await restoreRows(server.url, found, { isMarked: true, passphrase }).finally(() => server.stop());
    return { restored_to: found.backup.started };
  }
  const target = time === undefined ? "end" : { time };
  const reached = await restoreFiles(found, { dataDir: work, pgBin, passphrase, target, asFarAsPossible });
  const { restoredTo, completeUntil, missing, missingSeconds, unchecked } = reached;
  return {
    ...{ restored_to: restoredTo, complete_until: completeUntil },
    ...(missing === null ? {} : { missing, missing_seconds: missingSeconds }),
    ...(unchecked.length === 0 ? {} : { not_checked: unchecked }),
  };
}

/** Restores rows into the database of DATABASE_URL, which must be empty, and ends what the backup brought back. */
async function intoDatabase(config: Config, found: FoundBackup, { time, keys, passphrase }: Wish) {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? "";
  if (found.backup.kind === "files")
    throw new Error(
      "The backup has the files of the embedded database. Restore it into a DATA_DIR, without DATABASE_URL; from there, `leadgate backup " +
        "--rows` makes one that any PostgreSQL can take.",
    );
  refuseTime(time);
  if (config.secretKeys.length === 0)
    throw new Error(
      "DATABASE_URL requires SECRET_KEY. `leadgate backup key --from … --passphrase-file …` prints the one in the backup.",
    );
  await restoreRows(url, found, { isMarked: true, passphrase });
  const ended = await endWhatCameBack(config, keys === undefined);
  return { backup: found.path, restored_to: found.backup.started, ended };
}

function refuseTime(time: Date | undefined): void {
  if (time === undefined) return;
  throw new UsageError(
    "--to needs a backup of the files of the embedded database and the archive of its log; this one has the rows of one moment",
  );
}

/** Migrates a restored database, and ends its sessions, tokens and links, some of which were ended after the backup. */
async function endWhatCameBack(config: Config, hasNewKey: boolean): Promise<object> {
  const opened = await openService({ ...config, logLevel: "error" }, { hasNewKey });
  try {
    const lost = hasNewKey ? { suppressions: await forgetSuppressions(opened.service) } : {};
    return { ...(await finishRestore(opened.service)), ...lost };
  } finally {
    await opened.close();
  }
}

/**
 * Refuses a data folder that has a database, unless rows are restored next to the database of another major version, which is then
 * kept. Returns where it will be kept.
 */
async function formerOf(dataDir: string, { backup }: FoundBackup): Promise<string | undefined> {
  const { folder } = clusterOf(dataDir);
  if (!existsSync(folder)) return undefined;
  const theirs = await majorOf(folder);
  if (backup.kind === "rows" && theirs !== OUR_MAJOR) return join(dataDir, `postgres-${theirs}`);
  throw new Error(
    `${dataDir} has a database already, and a restore never replaces one. Set DATA_DIR to an empty folder, or move ${folder} elsewhere.`,
  );
}
