import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";
import { readConfig } from "../../src/config/config.ts";
import { serverProcesses, until } from "../../src/db/embedded/host/processes.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { clusterOf } from "../../src/db/embedded/server/cluster.ts";
import { createPerson } from "../../src/domain/accounts/people/create-person.ts";
import { createKey } from "../../src/domain/api-keys/create-key.ts";
import { perform } from "../../src/domain/operation/operation.ts";
import { addProject } from "../../src/domain/projects/create-project.ts";
import { openService } from "../../src/server/start.ts";
import { SECRET_KEY } from "../processes/service-process.ts";

const TEMPLATE = "chaos_ground";
const PERSON = { name: "Chaos", email: "chaos@example.org", password: "a long enough password" };

/** Who acts in a round: a person who owns a project, and the project's keys. */
export interface Cast {
  person: typeof PERSON;
  projectId: string;
  key: string;
  /** Does nothing but calls that a small limit counts. */
  countedKey: string;
}

export interface GroundOptions {
  onDisk?: boolean;
  settings?: Record<string, string>;
}

/**
 * A PostgreSQL of our own, durable and restarted when it dies, with a database that each round gets a copy of. As
 * root its folder is a file system of its own, which can be made full.
 */
export class Ground {
  readonly cast: Cast;
  readonly folder: string;
  readonly canFill: boolean;
  readonly #server: { url: string; stop(): Promise<void> };
  #databases = 0;

  private constructor(folder: string, canFill: boolean, server: Ground["stop"], url: string, cast: Cast) {
    this.folder = folder;
    this.canFill = canFill;
    this.#server = { url, stop: server };
    this.cast = cast;
  }

  /** With `onDisk` its folder stays on the disk that has temporary files; `settings` are those of PostgreSQL. */
  static async prepare({ onDisk = false, settings = {} }: GroundOptions = {}): Promise<Ground> {
    const folder = mkdtempSync(join(tmpdir(), "leadgate-chaos-"));
    chmodSync(folder, 0o711);
    const canFill = !onDisk && mountedAt(folder);
    if (canFill) chmodSync(folder, 0o711);
    const server = await startEmbedded({ dataDir: folder, settings });
    await onServer(server.url, `CREATE DATABASE ${TEMPLATE}`);
    const cast = await castOf(urlOf(server.url, TEMPLATE));
    return new Ground(folder, canFill, () => server.stop(), server.url, cast);
  }

  /** Copies the database for a round; returns the URL of the copy. */
  async freshDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `chaos_${this.#databases}`;
    await onServer(this.#server.url, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
    return urlOf(this.#server.url, name);
  }

  async drop(url: string): Promise<void> {
    // Autovacuum may be connected; what stays ends with the server.
    await onServer(this.#server.url, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)}`).catch(
      () => undefined,
    );
  }

  /** Ends the server with all its processes at once; it is started again. */
  async kill(): Promise<void> {
    const before = new Set(this.processes());
    for (const pid of before) signal(pid, "SIGKILL");
    await until(() => this.processes().every((pid) => !before.has(pid)), 5_000);
  }

  postmaster(): number | undefined {
    return this.processes().find((pid) => titleOf(pid).includes("-D"));
  }

  /** The processes that serve connections to the database at `url`. */
  backends(url: string): number[] {
    const name = ` ${new URL(url).pathname.slice(1)} `;
    return this.processes().filter((pid) => titleOf(pid).includes(name));
  }

  /** Takes away the free space of the server's disk; returns how to give it back. */
  fill(): () => void {
    // It cannot become smaller than what it holds, and what it holds grows meanwhile.
    for (let spare = 0; ; spare += 2 ** 16) {
      const { blocks, bfree, bsize } = statfsSync(this.folder);
      try {
        remount(this.folder, (blocks - bfree) * bsize + spare);
        break;
      } catch (error) {
        if (spare > 2 ** 22) throw error;
      }
    }
    return () => remount(this.folder, ROOM);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    if (this.canFill) umount(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The processes of the server. */
  processes(): number[] {
    return serverProcesses(clusterOf(this.folder));
  }
}

/** Sends a signal to a process that may have ended. */
export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

const ROOM = 4 * 2 ** 30;

/** Mounts a file system of its own there; false where this process may not. */
export function mountedAt(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${ROOM}`, "leadgate-chaos", folder], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

/** Gives a mounted file system another size in bytes. */
export const remount = (folder: string, size: number): void =>
  void execFileSync("mount", ["-o", `remount,size=${size}`, folder], { stdio: ["ignore", "ignore", "pipe"] });

export const umount = (folder: string): void => void execFileSync("umount", ["-l", folder]);

function titleOf(pid: number): string {
  try {
    return `${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")} `;
  } catch {
    return "";
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function castOf(databaseUrl: string): Promise<Cast> {
  const config = readConfig({ DATABASE_URL: databaseUrl, SECRET_KEY, LOG_LEVEL: "error" });
  const { service, close } = await openService(config);
  try {
    const person = await createPerson(service.db, { ...PERSON, verified: true });
    const projectId = await service.db.transaction((tx) =>
      addProject(service, tx, { name: "Chaos", ownerId: person.id }),
    );
    const caller = { personId: null, projectId };
    const permissions = ["leads:read", "leads:write", "datasets:read"];
    const key = await perform(service, createKey, caller, { name: "chaos", permissions });
    const counted = await perform(service, createKey, caller, { name: "counted", permissions });
    return { person: PERSON, projectId, key: key.key, countedKey: counted.key };
  } finally {
    await close();
  }
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
