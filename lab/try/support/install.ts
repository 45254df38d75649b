import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Outside of the repository: hosts read the instructions and settings of the folders above their own. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "leadgate", "hosts");
/** The largest packages have 400 MB. */
const LIMIT_MS = 400_000;

/**
 * Installs exactly this version of a package from npm, unless that was done before, and returns the folder that holds
 * its `node_modules`. Its own install script may run, those of its dependencies may not. Throws with npm's first
 * errors.
 */
export async function installed(name: string, version: string): Promise<string> {
  const folder = join(CACHE, `${name.replaceAll("/", "+")}@${version}`);
  if (existsSync(folder)) return folder;
  const attempt = `${folder}.${process.pid}`;
  try {
    await mkdir(attempt, { recursive: true });
    const manifest = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } };
    await writeFile(join(attempt, "package.json"), JSON.stringify(manifest));
    const words = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=1"];
    await promisify(execFile)("npm", words, { cwd: attempt, timeout: LIMIT_MS });
    await rename(attempt, folder);
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    const lines = stderr.split("\n").filter((line) => line.includes("error"));
    throw new Error(lines.slice(0, 8).join("\n") || message);
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
  return folder;
}
