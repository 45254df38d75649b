// Runs after npm installed Leadgate: removes the C headers and the manual of the Node that is installed with it, 69 MB
// that only builds of native add-ons need.
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";

const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
try {
  const folder = join(createRequire(import.meta.url).resolve(`${name}/package.json`), "..");
  for (const part of ["include", "share"]) rmSync(join(folder, part), { recursive: true, force: true });
} catch (error) {
  // Without this package there is nothing to remove; otherwise it only takes room.
  if (error.code !== "MODULE_NOT_FOUND") process.stderr.write(`${name} was not trimmed: ${error.message}\n`);
}
