import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const CACHE = process.env.LEADGATE_TEST_PANELS ?? resolve("node_modules/.cache/leadgate-panel");

/** A test's coverage of the panel is told by the panel's sources. */
const AS_WRITTEN =
  process.env.NODE_V8_COVERAGE === undefined ? [] : ["--minify", "false", "--sourcemap", "inline"];

let built: string | undefined;

/** Builds the panel from the working tree; only once for each state of it, even across processes. */
export function builtPanel(): string {
  built ??= build();
  return built;
}

function build(): string {
  const hash = createHash("sha256").update(AS_WRITTEN.join());
  const sources = [
    "web/{src,*.ts}{,/**/*}",
    "assets/*.css",
    "src/{core,contract/lists}/*.ts",
    "package-lock.json",
  ];
  for (const path of sources.flatMap((pattern) => globSync(pattern)).sort()) {
    if (statSync(path).isFile()) hash.update(path).update("\0").update(readFileSync(path));
  }
  const folder = join(CACHE, hash.digest("hex").slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const draft = `${folder}-${process.pid}`;
  const vite = resolve("node_modules/.bin/vite");
  const run = spawnSync(vite, ["build", "web", "--outDir", draft, "--logLevel", "warn", ...AS_WRITTEN], {
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`the panel does not build:\n${run.stdout}${run.stderr}`);
  try {
    renameSync(draft, folder);
  } catch {
    // Another process built the same faster.
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}
