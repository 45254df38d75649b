import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { lacksRegistry, type Reason } from "../programs.ts";

/** A package that only some tests need. */
export interface FetchedPackage {
  /** Why the tests that need it are skipped, or false. */
  skip: Reason;
  /** The folder that its package.json is in. */
  folder: string;
}

const CACHE = resolve("node_modules/.cache/test-packages");

/**
 * Installs `test/packages/SET` by its lock file, unless that was done before, and returns the package `name` of it. Where
 * no registry can be reached, `skip` says so; any other failure throws.
 */
export async function fetchPackage(set: string, name: string): Promise<FetchedPackage> {
  const from = resolve("test/packages", set);
  const lock = await readFile(join(from, "package-lock.json"));
  const installed = join(CACHE, `${set}-${createHash("sha256").update(lock).digest("hex").slice(0, 12)}`);
  const folder = join(installed, "node_modules", name);
  if (existsSync(installed)) return { skip: false, folder };
  const skip = lacksRegistry();
  if (skip !== false) return { skip, folder };
  const attempt = `${installed}.${process.pid}`;
  try {
    await mkdir(attempt, { recursive: true });
    for (const file of ["package.json", "package-lock.json"]) await cp(join(from, file), join(attempt, file));
    const words = [
      "ci",
      "--ignore-scripts",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--fetch-retries=1",
    ];
    await promisify(execFile)("npm", words, { cwd: attempt, shell: process.platform === "win32" });
    await rename(attempt, installed);
  } catch (error) {
    // Another process may have installed it meanwhile.
    if (existsSync(installed)) return { skip: false, folder };
    const { message, stderr = "" } = error as Error & { stderr?: string };
    throw new Error(`${set} could not be installed: ${stderr || message}`, { cause: error });
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
  return { skip: false, folder };
}
