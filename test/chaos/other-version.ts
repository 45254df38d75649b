import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Writes the sources of another version, with this one's packages, into a temporary folder and returns it. Undefined
 * if this is not a clone that has it.
 */
export function otherVersion(revision: string): string | undefined {
  try {
    const parts = ["src", "db", "package.json", "assets"];
    const archive = execFileSync("git", ["archive", revision, ...parts], {
      maxBuffer: 2 ** 30,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const folder = mkdtempSync(join(tmpdir(), "leadgate-version-"));
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "web"));
    symlinkSync(resolve("web/dist"), join(folder, "web/dist"));
    return folder;
  } catch {
    return undefined;
  }
}
