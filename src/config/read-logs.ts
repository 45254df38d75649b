import { resolve } from "node:path";
import type { LogSettings } from "../observe/log/logs.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const SLOW_MS = 1_000;
const LONGEST_MS = 3_600_000;

/** Reads ACCESS_LOG, SLOW_LOG_MS and SLOW_LOG_VALUES. */
export function readLogs(env: Environment): LogSettings {
  return { access: accessOf(env.ACCESS_LOG || "on"), slow: slowOf(env) };
}

function accessOf(text: string): LogSettings["access"] {
  if (text === "on") return "log";
  if (text === "off") return "off";
  // A word that is no path would be a file that nobody looks for.
  if (/[/\\]/.test(text)) return { file: resolve(text) };
  throw new Error(
    `ACCESS_LOG is "${text}"; it must be on, off or the path of a file, such as /var/log/leadgate/access.log.`,
  );
}

function slowOf(env: Environment): LogSettings["slow"] {
  const text = env.SLOW_LOG_MS || String(SLOW_MS);
  const ms = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(ms <= LONGEST_MS)) {
    throw new Error(
      `SLOW_LOG_MS is "${text}"; it must be a whole number of milliseconds up to ${LONGEST_MS}, or 0 for none.`,
    );
  }
  const values = env.SLOW_LOG_VALUES || "off";
  if (values !== "on" && values !== "off") {
    throw new Error(`SLOW_LOG_VALUES is "${values}"; it must be on or off.`);
  }
  return ms === 0 ? undefined : { ms, values: values === "on" };
}
