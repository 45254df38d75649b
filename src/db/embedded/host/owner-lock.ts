import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedError } from "./embedded-error.ts";

const SQLITE_BUSY = 5;

export interface OwnerLock {
  release(): void;
}

/** Makes this process the folder's owner, or answers undefined while another process is. */
export function tryLock(dataDir: string): OwnerLock | undefined {
  // An exclusive SQLite transaction is a lock of the kernel: it ends with its process however that dies,
  // cannot be fooled by a reused pid and holds between containers. Nothing else may open this file.
  const path = join(dataDir, "owner.lock");
  refuseUnwritable(existsSync(path) ? path : dataDir);
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
  writeFileSync(name, `${process.pid}\n`, { mode: 0o644 });
  return {
    release() {
      if (!database.isOpen) return;
      rmSync(name, { force: true });
      database.close();
    },
  };
}

/** The owner by name, for messages: only the lock decides who owns the folder. */
export function ownerName(dataDir: string): string {
  try {
    const pid = readFileSync(ownerFile(dataDir), "utf8").trim();
    return pid === "" ? "another process" : `process ${pid}`;
  } catch {
    return "another process";
  }
}

function ownerFile(dataDir: string): string {
  return join(dataDir, "owner.pid");
}

function refuseUnwritable(path: string): void {
  // SQLite would open a read-only file without a word and let two owners in.
  try {
    accessSync(path, constants.W_OK);
  } catch (cause) {
    throw new EmbeddedError(
      `${path} is not writable by this user; run as its owner or set DATA_DIR to another folder`,
      { cause },
    );
  }
}
