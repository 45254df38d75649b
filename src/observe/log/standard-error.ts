import process from "node:process";
import { pino } from "pino";

/** So many bytes wait for a reader that is slow, or a full disk; further lines are left out, and counted. */
const MOST = 16_777_216;
/** pino's number for warnings. */
const WARN = 40;

/**
 * Returns where the log of this process goes. Lines that follow each other soon are written together, because a write costs more than
 * a line. A slow reader delays nobody. What still waits when the process exits is written then.
 */
export function standardError(): ReturnType<typeof pino.destination> {
  const lines = pino.destination({
    fd: 2,
    sync: false,
    minLength: 8_192,
    periodicFlush: 100,
    maxLength: MOST,
  });
  let leftOut = 0;
  lines.on("drop", () => {
    leftOut += 1;
  });
  lines.on("drain", () => {
    if (leftOut === 0) return;
    const told = { level: WARN, time: Date.now(), pid: process.pid, left_out: leftOut };
    leftOut = 0;
    lines.write(
      `${JSON.stringify({ ...told, msg: "lines of the log were left out: it was not written in time" })}\n`,
    );
  });
  // What could not be written, such as on a full disk, is tried again.
  lines.on("error", () => undefined);
  return lines;
}
