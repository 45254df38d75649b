import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/pool/database.ts";
import { claimKeys } from "../domain/upkeep/signing-key.ts";

const SHORTEST = 32;

/**
 * The signing and sealing keys, the one that signs first: `SECRET_KEY`, or for the embedded database a key made once
 * in its folder. Refuses keys without the one that the service signs with.
 */
export async function secretKeysOf(config: Config, db: Database): Promise<string[]> {
  const keys = config.secretKeys.length > 0 ? config.secretKeys : await ownKey(config);
  if (keys.some((key) => key.length < SHORTEST)) {
    throw new Error(
      `SECRET_KEY is too short: it must have at least ${SHORTEST} characters. Generate one with \`openssl rand -hex 32\`.`,
    );
  }
  return await claimKeys(db, keys);
}

async function ownKey(config: Config): Promise<string[]> {
  if (config.databaseUrl !== undefined) {
    throw new Error(
      "DATABASE_URL requires a SECRET_KEY that is the same on every instance. Generate one with `openssl rand -hex 32`.",
    );
  }
  const path = join(config.dataDir, "secret-key");
  const known = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (known !== undefined) return [known.trim()];
  const fresh = randomBytes(32).toString("hex");
  await writeFile(`${path}.new`, `${fresh}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return [fresh];
}
