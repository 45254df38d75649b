import { chown, cp, lchown, lstat, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Binaries, binariesIn } from "./binaries.ts";
import { EmbeddedError } from "./embedded-error.ts";

export interface SystemUser {
  uid: number;
  gid: number;
}

/** A user without privileges, under whom root can run the server. */
export async function unprivilegedUser(passwd = "/etc/passwd"): Promise<SystemUser> {
  const lines = await readFile(passwd, "utf8").catch(() => "");
  for (const name of ["leadgate", "postgres", "nobody"]) {
    const found = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, "m").exec(lines);
    if (found && found[1] !== "0") return { uid: Number(found[1]), gid: Number(found[2]) };
  }
  return { uid: 65534, gid: 65534 };
}

/** The outermost folder on the path, including `path` itself, that the user may not enter. */
export async function blockedFolder(path: string, user: SystemUser): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await blockedFolder(parent, user);
  if (above) return above;
  const { mode, uid, gid } = await stat(path);
  const execute = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return mode & execute ? undefined : path;
}

/** The binaries in place if the user can run them there, otherwise a copy that is made once per version. */
export async function reachableBinaries(
  binaries: Binaries,
  user: SystemUser,
  homes = ["/var/lib/leadgate", join(tmpdir(), "leadgate-postgres")],
): Promise<Binaries> {
  const blocked = await blockedFolder(dirname(binaries.postgres), user);
  if (!blocked) return binaries;
  if (binaries.pgBin !== undefined) {
    throw new EmbeddedError(
      `PostgreSQL does not run as root and user ${user.uid} cannot enter ${blocked}, which holds PG_BIN (${binaries.pgBin}); ` +
        "set PG_BIN to a folder that every user can enter",
    );
  }
  const reasons: unknown[] = [];
  for (const home of homes) {
    try {
      const copy = await copyOnce(binaries, home);
      if (!(await blockedFolder(dirname(copy.postgres), user))) return copy;
      reasons.push(`user ${user.uid} cannot enter ${home}`);
    } catch (error) {
      reasons.push(error);
    }
  }
  throw new EmbeddedError(
    `user ${user.uid} cannot reach ${binaries.native} and no readable copy could be made in ${homes.join(" or ")} ` +
      `(${reasons.map(String).join("; ")}); install the service outside of root's home or run it as an ordinary user`,
  );
}

/** Gives a folder and its contents to the user. */
export async function handOver(folder: string, user: SystemUser): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), user.uid, user.gid);
  }
  // The folder itself last: its owner shows that all of it is done.
  await chown(folder, user.uid, user.gid);
}

async function copyOnce(binaries: Binaries, home: string): Promise<Binaries> {
  await mkdir(home, { recursive: true, mode: 0o755 });
  // Do not run programs that another user could have put there.
  const { uid, mode } = await lstat(home);
  if (uid !== process.getuid?.() || mode & 0o022) throw new Error(`${home} belongs to someone else`);
  const copy = join(home, `postgres-${binaries.version}`);
  if (!(await stat(copy).catch(() => undefined))) {
    const partial = `${copy}.${process.pid}`;
    await cp(binaries.native, partial, { recursive: true, verbatimSymlinks: true });
    // Another process may have made the same copy first, which is equally good.
    await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
  }
  return binariesIn(copy, binaries.version);
}
