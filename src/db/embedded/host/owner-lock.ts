import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedError } from "./embedded-error.ts";
import { isAlive, until } from "./processes.ts";

const SQLITE_BUSY = 5;
const PRIVATE = 0o600;

export interface OwnerLock {
  release(): void;
}

/** Makes this process the folder's owner; returns undefined while another process is the owner. */
export function tryLock(dataDir: string): OwnerLock | undefined {
  // An exclusive SQLite transaction is a kernel lock: it ends with its process in any case, is not confused by a
  // reused pid and works across containers. Nothing else may open this file.
  const path = join(dataDir, "owner.lock");
  const exists = existsSync(path);
  refuseUnwritable(exists ? path : dataDir);
  // SQLite would create it for everybody to read. An existing one is not opened: closing it would end a lock of this process.
  if (!exists) writeFileSync(path, "", { flag: "a", mode: PRIVATE });
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY) return undefined;
    throw new EmbeddedError(`cannot lock ${path}: ${String(cause)}`, { cause });
  }
  const name = ownerFile(dataDir);
  rmSync(name, { force: true });
  writeFileSync(name, `${process.pid}\n`, { mode: PRIVATE });
  return {
    release() {
      if (!database.isOpen) return;
      rmSync(name, { force: true });
      database.close();
    },
  };
}

/**
 * A description of the owner, for messages only: the lock decides who owns the folder. Waits up to five seconds for a pid
 * that is alive, because the owner writes its own just after it has locked.
 */
export async function ownerName(dataDir: string): Promise<string> {
  await until(() => isAlive(ownerPid(dataDir)), 5_000);
  const pid = ownerPid(dataDir);
  return Number.isNaN(pid) ? "another process" : `process ${pid}`;
}

/** The pid in the owner's file; NaN if there is none. */
function ownerPid(dataDir: string): number {
  try {
    return Number.parseInt(readFileSync(ownerFile(dataDir), "utf8"), 10);
  } catch {
    return Number.NaN;
  }
}

function ownerFile(dataDir: string): string {
  return join(dataDir, "owner.pid");
}

function refuseUnwritable(path: string): void {
  // SQLite would silently open a read-only file and allow two owners.
  try {
    accessSync(path, constants.W_OK);
  } catch (cause) {
    throw new EmbeddedError(
      `${path} is not writable by this user; run as its owner or set DATA_DIR to another folder`,
      { cause },
    );
  }
}
