export interface SlowLogSettings {
  /** The duration in milliseconds from which on an operation is slow. */
  ms: number;
  /** Whether filters are shown with their values, which are customers' data. */
  values: boolean;
}

export interface LogSettings {
  /** Whether each request and each run of a job has a line. */
  access: boolean;
  /** Undefined if nothing is reported as slow. */
  slow: SlowLogSettings | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const SLOW_MS = 1_000;
const LONGEST_MS = 3_600_000;

/** Reads ACCESS_LOG, SLOW_LOG_MS and SLOW_LOG_VALUES; throws an error that names the one that is invalid. */
export function readLogs(env: Environment): LogSettings {
  const access = isOn(env, "ACCESS_LOG", "on");
  const values = isOn(env, "SLOW_LOG_VALUES", "off");
  const text = env.SLOW_LOG_MS || String(SLOW_MS);
  const ms = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(ms <= LONGEST_MS)) {
    throw new Error(
      `SLOW_LOG_MS is "${text}"; it must be a whole number of milliseconds up to ${LONGEST_MS}, or 0 for no slow log.`,
    );
  }
  return { access, slow: ms === 0 ? undefined : { ms, values } };
}

function isOn(env: Environment, name: string, otherwise: "on" | "off"): boolean {
  const text = env[name] || otherwise;
  if (text === "on" || text === "off") return text === "on";
  throw new Error(`${name} is "${text}"; it must be on or off.`);
}
