import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Packages below are summed in the last line. */
const SHOWN_MB = 1;

interface Lock {
  packages: Record<string, { dev?: boolean; link?: boolean }>;
}

/**
 * Prints the megabytes of each installed package, largest first: of this installation, and of those packages that
 * `npm ci --omit=dev` installs too. The versions of a package that are installed several times are summed.
 */
export async function sizes(): Promise<void> {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
  const all = Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true && existsSync(path))
    .map(([path, { dev = false }]) => ({
      name: path.replace(/.*node_modules\//, ""),
      dev,
      size: ownSize(path),
    }));
  print("npm ci", all);
  print(
    "npm ci --omit=dev",
    all.filter(({ dev }) => !dev),
  );
}

function print(name: string, packages: readonly { name: string; size: number }[]): void {
  const total = packages.reduce((sum, { size }) => sum + size, 0);
  console.log(`${name}: ${packages.length} packages, ${total.toFixed(0)} MB`);
  const rows = Object.entries(Object.groupBy(packages, (one) => one.name))
    .map(([of, each = []]) => ({ of, size: each.reduce((sum, { size }) => sum + size, 0) }))
    .sort((a, b) => b.size - a.size);
  const { large = [], small = [] } = Object.groupBy(rows, ({ size }) =>
    size >= SHOWN_MB ? "large" : "small",
  );
  const rest = { of: `${small.length} others`, size: small.reduce((sum, { size }) => sum + size, 0) };
  for (const { of, size } of [...large, rest]) console.log(`${size.toFixed(1).padStart(7)}  ${of}`);
}

/** Returns the megabytes of a package on the disk, without those that are installed below it. */
function ownSize(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .map((entry) => join(folder, entry.name))
    .reduce((sum, path) => {
      const status = lstatSync(path);
      return sum + (status.isDirectory() ? ownSize(path) : 0) + status.blocks / 2_048;
    }, 0);
}
