import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { majorIn, OUR_MAJOR } from "../host/binaries.ts";
import { EmbeddedError } from "../host/embedded-error.ts";
import type { RunAs } from "../host/run-as.ts";
import { syncFolder } from "../host/sync-folder.ts";
import { initialize } from "./initialize.ts";
import { type Passwords, readPasswords } from "./passwords.ts";

export interface Cluster {
  folder: string;
  /** Shown in the titles of the server's processes, which are found by it. */
  name: string;
  logFile: string;
  passwords: Passwords;
  /** Settings of the server instead of ours or besides them. */
  settings?: Readonly<Record<string, string>>;
}

/** The cluster of a data folder, which need not exist yet. */
export function clusterOf(dataDir: string): Omit<Cluster, "passwords"> {
  const folder = join(dataDir, "postgres");
  const name = `leadgate-${createHash("sha256").update(folder).digest("hex").slice(0, 8)}`;
  return { folder, name, logFile: join(dataDir, "postgres.log") };
}

/** Creates the cluster on first use; afterwards checks that this PostgreSQL can open it. */
export async function prepareCluster(dataDir: string, runAs: RunAs): Promise<Cluster> {
  const cluster = clusterOf(dataDir);
  const exists = existsSync(cluster.folder);
  if (!exists) refuseOtherMajor(runAs);
  const passwords = await readPasswords(dataDir, { create: !exists });
  if (exists) await checkVersion(cluster.folder, runAs);
  else await createCluster(dataDir, cluster.folder, runAs, passwords.postgres);
  return { ...cluster, passwords };
}

/**
 * Creates the cluster in a temporary folder and renames it, so that an interruption never leaves an incomplete
 * cluster.
 */
async function createCluster(dataDir: string, folder: string, runAs: RunAs, password: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith("postgres.new-")) await rm(join(dataDir, name), { recursive: true, maxRetries: 3 });
  }
  const fresh = join(dataDir, `postgres.new-${randomBytes(4).toString("hex")}`);
  const passwordFile = join(fresh, "password");
  await mkdir(fresh, { mode: 0o700 });
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (runAs.user) {
      await chown(passwordFile, runAs.user.uid, runAs.user.gid);
      await chown(fresh, runAs.user.uid, runAs.user.gid);
    }
    await initialize(join(fresh, "cluster"), passwordFile, runAs);
    await rename(join(fresh, "cluster"), folder);
    await syncFolder(dataDir);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** The major version of PostgreSQL that made a cluster; empty if the folder has none. */
export const majorOf = async (folder: string): Promise<string> =>
  (await readFile(join(folder, "PG_VERSION"), "utf8").catch(() => "")).trim();

async function checkVersion(folder: string, runAs: RunAs): Promise<void> {
  const found = await majorOf(folder);
  const { version, pgBin } = runAs.binaries;
  const ours = majorIn(version);
  if (found === ours) return;
  if (found !== "" && pgBin !== undefined) {
    throw new EmbeddedError(
      `${folder} was created by PostgreSQL ${found}, but PG_BIN (${pgBin}) has ${version}; set PG_BIN to the programs of a ` +
        `PostgreSQL ${found}${found === OUR_MAJOR ? ", or leave it out" : ""}`,
    );
  }
  throw new EmbeddedError(
    found === ""
      ? `${folder} is not a PostgreSQL cluster; move it elsewhere or set DATA_DIR to another folder`
      : `${folder} was created by PostgreSQL ${found}, but this is ${ours}; with the release that you ran before, make a backup ` +
          "of its rows (leadgate backup --rows --to FOLDER), then run this release's leadgate restore --from FOLDER, which keeps the old folder",
  );
}

/** A new cluster gets the major version that comes along, so that PG_BIN can be left out again. */
function refuseOtherMajor({ binaries: { pgBin, version } }: RunAs): void {
  if (pgBin === undefined || majorIn(version) === OUR_MAJOR) return;
  throw new EmbeddedError(
    `PG_BIN (${pgBin}) has PostgreSQL ${version}, but a new data folder takes PostgreSQL ${OUR_MAJOR}, as the one that comes with ` +
      `Leadgate; set PG_BIN to the programs of a PostgreSQL ${OUR_MAJOR}, or leave it out`,
  );
}
