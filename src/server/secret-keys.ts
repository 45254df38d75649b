import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { checkSecretKeys } from "../config/read-secret-files.ts";
import type { Database } from "../db/pool/database.ts";
import { claimKeys, signingKey } from "../domain/upkeep/signing-key.ts";

/**
 * The signing and sealing keys, the one that signs first: `SECRET_KEY`, or for the embedded database a key made once
 * in its folder. Refuses keys without the one that the service signs with.
 */
export async function secretKeysOf(config: Config, db: Database): Promise<string[]> {
  const isSet = config.secretKeys.length > 0;
  const keys = isSet ? config.secretKeys : await ownKey(config, db);
  const from = isSet ? "SECRET_KEY" : `The key in ${fileOf(config)}`;
  checkSecretKeys(from, keys);
  return await claimKeys(db, keys, from);
}

async function ownKey(config: Config, db: Database): Promise<string[]> {
  if (config.databaseUrl !== undefined) {
    throw new Error(
      "DATABASE_URL requires a SECRET_KEY that is the same on every instance. Generate one with `openssl rand -hex 32`.",
    );
  }
  const known = await keysOfFile(config);
  if (known.length > 0) return known;
  const path = fileOf(config);
  const used = await signingKey(db);
  if (used !== undefined) throw lostKey(path, used);
  const fresh = randomBytes(32).toString("hex");
  await writeFile(`${path}.new`, `${fresh}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return [fresh];
}

/** A new key would open nothing that the former one signed and sealed, so none is made. */
const lostKey = (path: string, fingerprint: string): Error =>
  new Error(
    `${path} is missing, and this database needs the key that was in it, whose fingerprint is ${fingerprint}. Put the file back, or set ` +
      "SECRET_KEY to the key; `leadgate backup key` prints the one in a backup with a passphrase. Without any copy: `leadgate backup --to " +
      "FOLDER`, then, with another DATA_DIR, `leadgate restore --from FOLDER --without-key`.",
  );

/** The keys that are known without making one: `SECRET_KEY`, or those in the data folder; none if there are none yet. */
export async function knownSecretKeys(config: Config): Promise<string[]> {
  if (config.secretKeys.length > 0) return config.secretKeys;
  return config.databaseUrl === undefined ? await keysOfFile(config) : [];
}

const fileOf = ({ dataDir }: Config): string => join(dataDir, "secret-key");

/** The keys in the data folder, the newest first; a restored backup may have several. */
async function keysOfFile(config: Config): Promise<string[]> {
  const text = await readFile(fileOf(config), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
}
