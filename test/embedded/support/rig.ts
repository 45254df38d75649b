import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { readPostmasterFile } from "../../../src/db/embedded/host/postmaster-file.ts";
import { serverProcesses, until } from "../../../src/db/embedded/host/processes.ts";
import { type EmbeddedOptions, startEmbedded } from "../../../src/db/embedded/index.ts";
import { clusterOf } from "../../../src/db/embedded/server/cluster.ts";

export interface Outcome {
  url?: string;
  owner?: boolean;
  error?: string;
}

/** Creates a data folder; a server that is left in it is killed after the test. */
export function dataFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "leadgate-embedded-")));
  chmodSync(folder, 0o711);
  t.after(async () => {
    const cluster = clusterOf(folder);
    for (const pid of serverProcesses(cluster)) kill(pid, "SIGKILL");
    await until(() => serverProcesses(cluster).length === 0, 5000);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

let template: Promise<string> | undefined;

/** Creates a data folder with a cluster, copied from one made once per test file. */
export async function usedFolder(t: TestContext): Promise<string> {
  template ??= makeTemplate();
  const folder = dataFolder(t);
  cpSync(await template, folder, { recursive: true });
  return folder;
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-embedded-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await (await startEmbedded({ dataDir: folder })).stop();
  return folder;
}

/** Starts a service process in its own process group; returns it with the outcome of its start. */
export function service(
  t: TestContext,
  options: EmbeddedOptions,
  { wrap = [], env = process.env }: { wrap?: string[]; env?: SpawnOptions["env"] } = {},
): { child: ChildProcess; outcome: Promise<Outcome>; end(signal: NodeJS.Signals): Promise<void> } {
  const script = fileURLToPath(new URL("owner-process.ts", import.meta.url));
  const [file = "", ...args] = [...wrap, process.execPath, script, JSON.stringify(options)];
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  const exited = once(child, "exit");
  const outcome = new Promise<Outcome>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
    // After "exit", what it printed may still be in the pipe; after "close" it is not.
    child.once("close", () => reject(new Error("the service ended without a word")));
  });
  outcome.catch(() => {});
  t.after(() => void child.kill("SIGKILL"));
  return {
    child,
    outcome,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** Runs one statement on its own connection. */
export async function ask(url: string | undefined, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query({ text: sql, rowMode: "array" })).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Retries until the database answers, for at most a minute. */
export async function askPatiently(url: string | undefined, sql: string): Promise<unknown[][]> {
  for (const deadline = Date.now() + 60_000; ; ) {
    try {
      return await ask(url, sql);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Returns the pid of the folder's server. */
export function serverPid(folder: string): number {
  const file = readPostmasterFile(clusterOf(folder).folder);
  if (!file) throw new Error(`no server in ${folder}`);
  return file.pid;
}

/** Sends a signal to a process that may have ended. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
