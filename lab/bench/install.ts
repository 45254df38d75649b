import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { packedArchive } from "../../test/install/support/archive.ts";
import { megabytes } from "../../test/install/support/megabytes.ts";

const CI = ["ci", "--no-audit", "--no-fund"];

/**
 * Measures installations with Node and PostgreSQL: megabytes on the disk, packages, and seconds with an empty cache of npm, so
 * that the registry answers, and with a filled one. `--quick` leaves out the one for development.
 */
export async function install({ quick }: { quick: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-bench-install-"));
  try {
    const archive = await packedArchive();
    row("", "MB", "packages", "s, empty cache", "s, filled cache");
    measure("release archive, npm ci --omit=dev", folder, [...CI, "--omit=dev"], (to) =>
      execFileSync("tar", ["xzf", archive, "--strip-components=1", "-C", to]),
    );
    measure("clone, npm ci --omit=dev", folder, [...CI, "--omit=dev"], clone);
    if (!quick) measure("clone, npm ci", folder, CI, clone);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const clone = (to: string) => execFileSync("git", ["clone", "-q", "--depth=1", `file://${resolve(".")}`, to]);

function measure(name: string, folder: string, words: string[], prepare: (to: string) => void): void {
  const cache = join(folder, "cache");
  rmSync(cache, { recursive: true, force: true });
  const [empty, filled] = ["empty", "filled"].map(() => {
    const to = mkdtempSync(join(folder, "to-"));
    prepare(to);
    const began = performance.now();
    execFileSync("npm", [...words, `--cache=${cache}`], { cwd: to, stdio: ["ignore", "ignore", "pipe"] });
    const seconds = (performance.now() - began) / 1_000;
    const found = globSync("**/node_modules/{@*/*,[!.@]*}/package.json", { cwd: to }).length;
    const size = megabytes(to);
    rmSync(to, { recursive: true, force: true });
    return { seconds, found, size };
  });
  row(
    name,
    ...[filled?.size ?? 0, filled?.found ?? 0].map(String),
    ...[empty, filled].map((one) => (one?.seconds ?? 0).toFixed(1)),
  );
}

function row(name: string, ...cells: string[]): void {
  console.log([name.padEnd(36), ...cells.map((cell) => cell.padStart(16))].join(""));
}
