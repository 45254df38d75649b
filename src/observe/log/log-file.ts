import { once } from "node:events";
import { pino } from "pino";

/** What waits for a slow disk; lines beyond are lost. */
const MOST_WAITING = 4 * 1_024 * 1_024;
const TOLD_EVERY_MS = 60_000;

/** A file that lines are appended to. */
export interface LogFile {
  write(line: string): void;
  /** Opens it by its path again, after another program has renamed it. */
  reopen(): void;
  close(): void;
}

/**
 * Opens a file for lines; throws if that fails. Later faults, such as a full disk, lose lines but do not disturb the
 * service: `onFault` is called at most once a minute.
 */
export async function openLogFile(path: string, onFault: (error: Error) => void): Promise<LogFile> {
  const file = pino.destination({ dest: path, sync: false, maxLength: MOST_WAITING, mode: 0o640 });
  await once(file, "ready");
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (error: Error) => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = performance.now();
    onFault(error);
  };
  file.on("error", tell);
  file.on("drop", () => tell(new Error("lines are written faster than the disk takes them")));
  return {
    write: (line) => void file.write(line),
    reopen: () => file.reopen(),
    close() {
      try {
        file.flushSync();
      } catch (error) {
        tell(error as Error);
      }
      file.end();
    },
  };
}
