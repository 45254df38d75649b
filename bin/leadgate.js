#!/usr/bin/env node
// Runs Leadgate with Node 24: with the Node that runs this file, or else with the one that is installed with Leadgate.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

// A clone runs its sources; an installed package has the JavaScript that npm pack made of them.
const source = new URL("../src/main.ts", import.meta.url);
const main = existsSync(source) ? source : new URL("../dist/main.js", import.meta.url);

if (Number(process.versions.node.split(".")[0]) >= 24) await import(main.href);
else become(installedNode(), [fileURLToPath(main), ...process.argv.slice(2)]);

/** Returns the path of the Node that was installed with Leadgate. Ends the process with 1 if there is none. */
function installedNode() {
  const isWindows = process.platform === "win32";
  const name = `node-${isWindows ? "win" : process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(manifest, "..", "bin", isWindows ? "node.exe" : "node");
  } catch {
    process.stderr.write(
      `Leadgate needs Node 24; this is ${process.version}, and npm installed no other one (${name}). Install Node 24.\n`,
    );
    process.exit(1);
  }
}

/** Replaces this process by another program, or passes signals on to it where Node cannot do that (before 22.15, Windows). */
function become(program, words) {
  if (typeof process.execve === "function" && process.platform !== "win32")
    process.execve(program, [program, ...words], process.env);
  const child = spawn(program, words, { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.once("exit", (code, signal) => {
    process.exitCode = code ?? 1;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
