import { chmodSync, copyFileSync, openSync, readFileSync, statSync, truncateSync } from "node:fs";

const MAX_BYTES = 10 * 1024 * 1024;

/** Opens the server's log for appending; the server inherits the descriptor. */
export function openLog(path: string): number {
  trimLog(path);
  return openSync(path, "a", 0o600);
}

/** Moves a log above 10 MB to `<path>.1`, so that the total size stays bounded. */
export function trimLog(path: string, maxBytes = MAX_BYTES): void {
  try {
    if (statSync(path).size <= maxBytes) return;
    // The server keeps its descriptor open, so the file is truncated in place and appends continue at its start.
    copyFileSync(path, `${path}.1`);
    chmodSync(`${path}.1`, 0o600);
    truncateSync(path);
  } catch {
    // There is no log yet, or the disk is too full for a copy; the database must start anyway.
  }
}

/** The last fatal lines of the log, for an error message. */
export function lastWords(path: string): string {
  try {
    const lines = readFileSync(path, "utf8").slice(-20_000).split("\n");
    return lines
      .filter((line) => /FATAL|PANIC|error while loading/.test(line))
      .slice(-2)
      .join("; ");
  } catch {
    return "";
  }
}
