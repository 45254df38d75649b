import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { packedArchive } from "../../install/support/archive.ts";

const run = promisify(execFile);

/** A release to make of the archive of this one. */
export interface Next {
  version: string;
  /** Migrations that only this release has: their SQL by name. */
  migrations: Record<string, string>;
}

/**
 * Unpacks this release as `npm pack` made it below a folder, under another version and with further migrations if these are given.
 * Returns the path of its program; its packages are ours.
 */
export async function unpacked(below: string, next?: Next): Promise<string> {
  const folder = join(below, next?.version ?? "present");
  mkdirSync(folder);
  await run("tar", ["-xzf", await packedArchive(), "-C", folder, "--strip-components=1"]);
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  if (next !== undefined) {
    const file = join(folder, "package.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, version: next.version }));
    for (const [name, sql] of Object.entries(next.migrations))
      writeFileSync(join(folder, "db/migrations", name), sql);
  }
  return join(folder, "bin/leadgate.js");
}
