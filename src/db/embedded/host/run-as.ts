import { execFile, type SpawnOptions } from "node:child_process";
import { stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { type Binaries, findBinaries } from "./binaries.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { blockedFolder, reachableBinaries, type SystemUser, unprivilegedUser } from "./unprivileged.ts";

/** How root runs PostgreSQL, which refuses to run as root; `auto` prefers the namespace. */
export type RootStrategy = "auto" | "namespace" | "unprivileged";

export interface RunAs {
  binaries: Binaries;
  /** The user who must own the database's files; undefined if it is the current user. */
  user: SystemUser | undefined;
  command(program: string, args: string[]): { file: string; args: string[]; options: SpawnOptions };
}

// Our environment is not passed on, because it contains secrets.
const env = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" };

/** Chooses the user under whom the programs of PostgreSQL run for this data folder. */
export async function chooseRunAs(dataDir: string, cluster: string, strategy: RootStrategy): Promise<RunAs> {
  const binaries = await findBinaries();
  const nobody = await unprivilegedUser();
  if (process.getuid?.() !== 0) {
    return isNameless() && (await namespacesWork(nobody))
      ? inNamespace(binaries, nobody)
      : directly(binaries);
  }
  const owner = await ownerOf(cluster);
  // An existing cluster keeps its owner, whichever user starts it.
  if (!owner && strategy !== "unprivileged" && (await namespacesWork(nobody))) {
    return inNamespace(binaries, nobody);
  }
  if (!owner && strategy === "namespace") throw new EmbeddedError("user namespaces are not permitted here");
  const user = owner ?? nobody;
  const blocked = await blockedFolder(dataDir, user);
  if (blocked) {
    throw new EmbeddedError(
      `PostgreSQL does not run as root and user ${user.uid} cannot enter ${blocked}, which holds the data ` +
        `folder ${dataDir}; set DATA_DIR to a folder outside of it (such as /var/lib/leadgate/data), ` +
        "or run the service as an ordinary user",
    );
  }
  return asUser(await reachableBinaries(binaries, user), user);
}

function directly(binaries: Binaries): RunAs {
  return {
    binaries,
    user: undefined,
    command: (file, args) => ({ file, args, options: { env, cwd: dirname(file) } }),
  };
}

function inNamespace(binaries: Binaries, as: SystemUser): RunAs {
  return {
    binaries,
    user: undefined,
    // unshare execs the program, so the pid is the program's own.
    command: (file, args) => ({
      file: "unshare",
      args: [...mapTo(as), file, ...args],
      options: { env, cwd: dirname(file) },
    }),
  };
}

function asUser(binaries: Binaries, user: SystemUser): RunAs {
  return {
    binaries,
    user,
    command: (file, args) => ({ file, args, options: { env, cwd: dirname(file), ...user } }),
  };
}

async function namespacesWork(as: SystemUser): Promise<boolean> {
  try {
    await promisify(execFile)("unshare", [...mapTo(as), "true"], { env });
    return true;
  } catch {
    return false;
  }
}

async function ownerOf(folder: string): Promise<SystemUser | undefined> {
  const found = await stat(folder).catch(() => undefined);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

function mapTo({ uid }: SystemUser): string[] {
  return ["--user", `--map-user=${uid}`, "--"];
}

/**
 * Whether the current user has no name, as in a container with a bare uid: initdb refuses that, but a mapped user
 * has a name.
 */
function isNameless(): boolean {
  try {
    userInfo();
    return false;
  } catch {
    return process.platform === "linux";
  }
}
