import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { findBinaries } from "../../../src/db/embedded/host/binaries.ts";

/** Where packages of PostgreSQL put its programs, libraries and shared files, below the root of the system. */
const LAYOUTS = {
  Debian: {
    bin: "usr/lib/postgresql/18/bin",
    lib: "usr/lib/postgresql/18/lib",
    share: "usr/share/postgresql/18",
  },
  PGDG: { bin: "usr/pgsql-18/bin", lib: "usr/pgsql-18/lib", share: "usr/pgsql-18/share" },
} as const;

interface Changes {
  /** The version that `postgres` reports, such as `17.2`. */
  version?: string;
  /** Begin of the names of shared files of extensions that this system lacks. */
  without?: string;
  /** A library of an extension that this system lacks. */
  withoutLibrary?: string;
}

/**
 * Lays out the programs that come along as a package of a system does, below `root`; returns the folder for PG_BIN. The packages were
 * built for their layouts; ours finds its files through links at the places for which it was built.
 */
export async function systemPostgres(
  root: string,
  layout: keyof typeof LAYOUTS,
  { version, without, withoutLibrary }: Changes = {},
): Promise<string> {
  const { native } = await findBinaries();
  const [bin, lib, share] = Object.values(LAYOUTS[layout]).map((path) => join(root, path)) as [
    string,
    string,
    string,
  ];
  for (const folder of [bin, lib, join(share, "extension")]) mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(join(native, "bin")))
    copyFileSync(join(native, "bin", name), join(bin, name));
  linkAll(join(native, "share/postgresql"), share, (name) => name !== "extension");
  linkAll(
    join(native, "share/postgresql/extension"),
    join(share, "extension"),
    (name) => without === undefined || !name.startsWith(without),
  );
  linkAll(join(native, "lib/postgresql"), lib, (name) => name !== withoutLibrary);
  linkAll(join(native, "lib"), lib, (name) => name !== "postgresql");
  // It looks for ../lib/postgresql and ../share/postgresql.
  link(lib, join(lib, "postgresql"));
  const built = join(bin, "../share/postgresql");
  mkdirSync(dirname(built), { recursive: true });
  link(share, built);
  if (version !== undefined) pretend(join(bin, "postgres"), version);
  return bin;
}

/** Puts a script in the place of a program: it reports another version, and otherwise runs the program. */
function pretend(program: string, version: string): void {
  const real = join(dirname(program), "postgres-real");
  copyFileSync(program, real);
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo "postgres (PostgreSQL) ${version}" && exit\nexec ${real} "$@"\n`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
}

function linkAll(from: string, to: string, isWanted: (name: string) => boolean): void {
  for (const name of readdirSync(from)) if (isWanted(name)) symlinkSync(join(from, name), join(to, name));
}

const link = (target: string, path: string): void =>
  symlinkSync(relative(dirname(path), target) || ".", path);

/** Offsets in `global/pg_control` of PostgreSQL 18 (src/include/catalog/pg_control.h), for machines of 64 bits. */
const CONTROL = { catalog: 12, alignment: 204, block: 216, segment: 220 } as const;
const CHECKSUM = 292;

/** Changes a number in the control file of a stopped cluster, and its checksum, as if another build had made the cluster. */
export function changeControl(cluster: string, field: keyof typeof CONTROL, value: number): void {
  const path = join(cluster, "global/pg_control");
  const bytes = readFileSync(path);
  bytes.writeUInt32LE(value, CONTROL[field]);
  bytes.writeUInt32LE(crc32c(bytes.subarray(0, CHECKSUM)), CHECKSUM);
  writeFileSync(path, bytes);
}

/** The checksum of RFC 3720 (CRC-32C), bit by bit. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}
