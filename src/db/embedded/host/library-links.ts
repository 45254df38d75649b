import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";

type Link = { source: string; target: string };

/** Creates the library links that the package's postinstall makes, for installations without scripts. */
export async function linkLibraries(packageFolder: string, packageName: string): Promise<void> {
  const list = join(packageFolder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: Link[] = JSON.parse(await readFile(list, "utf8"));
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (existsSync(path)) continue;
    try {
      await symlink(relative(dirname(path), join(packageFolder, source)), path);
    } catch (cause) {
      if (existsSync(path)) continue;
      throw new EmbeddedError(
        `the libraries of the embedded PostgreSQL are not linked and ${dirname(path)} is not writable; ` +
          `run: npm rebuild --ignore-scripts=false ${packageName}`,
        { cause },
      );
    }
  }
}
