import { realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { minorOf } from "./host/binaries.ts";
import { makeDataDir } from "./host/data-dir.ts";
import { EmbeddedError } from "./host/embedded-error.ts";
import { type OwnerLock, ownerName, tryLock } from "./host/owner-lock.ts";
import { readPostmasterFile } from "./host/postmaster-file.ts";
import { isServerProcess } from "./host/processes.ts";
import { chooseRunAs, type RootStrategy, type RunAs } from "./host/run-as.ts";
import { bringUp } from "./server/bring-up.ts";
import { checkDatabase, serverVersion } from "./server/check-database.ts";
import { type Cluster, clusterOf, prepareCluster } from "./server/cluster.ts";
import type { Running } from "./server/launch.ts";
import { readPasswords } from "./server/passwords.ts";
import { probe, urlOf } from "./server/probe.ts";
import { shutDown } from "./server/shut-down.ts";
import { supervise } from "./server/supervise.ts";

export interface EmbeddedServer {
  /** postgres://… for the role and database leadgate; stays the same while the server is owned. */
  url: string;
  /** The URL of the superuser, for backups. */
  superuserUrl: string;
  /** Whether `stop` stops the server. */
  owner: boolean;
  /** The running version, such as 18.4, and the folder of PG_BIN; undefined if another process owns the server. */
  postgres?: { version: string; pgBin: string | undefined };
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  log?: (line: string) => void;
  /** Use the server of another live owner instead of refusing to start. */
  attach?: boolean;
  rootStrategy?: RootStrategy;
  /** The folder with the programs of a PostgreSQL of the system, which then runs instead of the one that comes along. */
  pgBin?: string | undefined;
  /** Settings of PostgreSQL instead of ours or besides them. */
  settings?: Readonly<Record<string, string>>;
}

const ATTACH_PATIENCE_MS = 30_000;

/** Starts, adopts or waits for the server of `dataDir`; throws EmbeddedError, whose message explains what to do. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  await makeDataDir(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  const deadline = Date.now() + ATTACH_PATIENCE_MS;
  for (;;) {
    const lock = tryLock(dataDir);
    if (lock) return await own(dataDir, lock, options);
    if (!options.attach) throw await refusal(dataDir, "stop it first, or set DATA_DIR to another folder");
    const server = await attach(dataDir);
    if (server) return server;
    if (Date.now() > deadline)
      throw await refusal(dataDir, "its database does not respond; stop it and try again");
    await sleep(100);
  }
}

async function own(dataDir: string, lock: OwnerLock, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const log = options.log ?? (() => {});
  try {
    const strategy = options.rootStrategy ?? "auto";
    const runAs = await chooseRunAs(dataDir, clusterOf(dataDir).folder, strategy, options.pgBin);
    const cluster = { ...(await prepareCluster(dataDir, runAs)), settings: options.settings ?? {} };
    const { running, version } = await checked(cluster, runAs).catch(async (error) => {
      await stopWhatRuns(cluster, runAs);
      throw error;
    });
    const postgres = { version, pgBin: options.pgBin };
    // The programs may have been replaced while the server ran.
    const supervised = supervise(cluster, runAs, running, log, async ({ port }) => {
      postgres.version = minorOf(await serverVersion(cluster, port));
    });
    return {
      url: urlOf(cluster, running.port),
      superuserUrl: urlOf(cluster, running.port, "postgres"),
      owner: true,
      postgres,
      async stop() {
        await supervised.stop().finally(() => lock.release());
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Adopts or starts the server, and compares it with the database before anybody else uses it; returns its version, too. */
async function checked(cluster: Cluster, runAs: RunAs): Promise<{ running: Running; version: string }> {
  const running = await bringUp(cluster, runAs, { signal: new AbortController().signal });
  await checkDatabase(cluster, runAs, running.port);
  return { running, version: minorOf(await serverVersion(cluster, running.port)) };
}

async function stopWhatRuns(cluster: Cluster, runAs: RunAs): Promise<void> {
  const file = readPostmasterFile(cluster.folder);
  if (file && isServerProcess(file.pid, cluster)) await shutDown(file, runAs, cluster);
}

async function attach(dataDir: string): Promise<EmbeddedServer | undefined> {
  const cluster = clusterOf(dataDir);
  const file = readPostmasterFile(cluster.folder);
  if (file?.status !== "ready") return undefined;
  const known = { ...cluster, passwords: await readPasswords(dataDir, { create: false }) };
  const url = urlOf(known, file.port);
  if ((await probe(url)) !== "ready") return undefined;
  return { url, superuserUrl: urlOf(known, file.port, "postgres"), owner: false, stop: async () => {} };
}

async function refusal(dataDir: string, wayOut: string): Promise<EmbeddedError> {
  return new EmbeddedError(`${dataDir} is in use by ${await ownerName(dataDir)}; ${wayOut}`);
}
