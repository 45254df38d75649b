import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { type Binaries, findBinaries, minorOf, systemBinaries } from "./binaries.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { type Runner, runProgram } from "./run-program.ts";
import { blockedFolder, reachableBinaries, type SystemUser, unprivilegedUser } from "./unprivileged.ts";

/** How root runs PostgreSQL, which refuses to run as root; `auto` prefers the namespace. */
export type RootStrategy = "auto" | "namespace" | "unprivileged";

export interface RunAs extends Runner {
  binaries: Binaries;
  /** The user who must own the database's files; undefined if it is the current user. */
  user: SystemUser | undefined;
}

// Our environment is not passed on, because it contains secrets.
const env = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" };

/** Chooses the programs of PostgreSQL, those in `pgBin` or those that come along, and the user under whom they run for this data folder. */
export async function chooseRunAs(
  dataDir: string,
  cluster: string,
  strategy: RootStrategy,
  pgBin?: string,
): Promise<RunAs> {
  if (pgBin === undefined) return await userFor(await findBinaries(), dataDir, cluster, strategy);
  const runAs = await userFor(systemBinaries(pgBin), dataDir, cluster, strategy);
  return { ...runAs, binaries: { ...runAs.binaries, version: await versionOf(runAs) } };
}

/** The version that a system's PostgreSQL reports, such as 18.6; an error if it does not run here. */
async function versionOf(runAs: RunAs): Promise<string> {
  const { postgres } = runAs.binaries;
  const { out, err } = await runProgram(runAs, postgres, ["--version"]);
  const [, version] = /^postgres \(PostgreSQL\) (\S.*)/.exec(out) ?? [];
  if (version !== undefined) return minorOf(version);
  const reason = `${err}${out}`.trim().split("\n").at(-1) || "it printed no version";
  throw new EmbeddedError(
    `${postgres} does not run on this machine (${process.platform}-${process.arch}): ${reason}; correct PG_BIN, or leave it out`,
  );
}

async function userFor(
  binaries: Binaries,
  dataDir: string,
  cluster: string,
  strategy: RootStrategy,
): Promise<RunAs> {
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
