import { membersOf } from "./json-setting.ts";

/** How many connections to the database an instance may open. */
export interface ConnectionCounts {
  requests: number;
  jobs: number;
}

/** Time limits of work in the database, in milliseconds. */
export interface TimeLimits {
  /** For a free connection. */
  wait: number;
  /** For a read in the normal lane; 0 sets none. */
  fast: number;
  /** For a read in the slow lane, and for work by key. */
  query: number;
  /** For a statement of a write or a transaction. */
  write: number;
  /** For a statement of a job. */
  job: number;
}

/** With an import in each of two threads, an instance opens 23 at most: four fit PostgreSQL's default of 100. */
const USUAL_COUNTS: ConnectionCounts = { requests: 12, jobs: 7 };
/** Jobs need one for LISTEN, their locks and a sweep each, one for each of two exports, and one for statements. */
const LEAST: ConnectionCounts = { requests: 4, jobs: 6 };
const MOST = 1_000;

const USUAL_SECONDS: TimeLimits = { wait: 3, fast: 0.5, query: 5, write: 15, job: 60 };
const LONGEST = 3_600;

/** Reads CONNECTIONS; throws an error that names the invalid part. */
export const readConnectionCounts = (given: Record<string, unknown>): ConnectionCounts =>
  numbersOf("CONNECTIONS", given, USUAL_COUNTS, (name, value) => {
    const least = LEAST[name];
    const fits = Number.isInteger(value) && value >= least && value <= MOST;
    return fits ? undefined : `an integer from ${least} to ${MOST}`;
  });

/** Reads TIME_LIMITS, in seconds; throws an error that names the invalid part. */
export function readTimeLimits(given: Record<string, unknown>): TimeLimits {
  const seconds = numbersOf("TIME_LIMITS", given, USUAL_SECONDS, (name, value) => {
    const least = name === "fast" ? 0 : 0.001;
    return value >= least && value <= LONGEST ? undefined : `a number of seconds up to ${LONGEST}`;
  });
  const { wait, fast, query, write, job } = seconds;
  if (fast > query) {
    throw new Error(`TIME_LIMITS: fast is ${fast}; it must not be more than query, which is ${query}.`);
  }
  const ms = (value: number) => Math.round(value * 1_000);
  return { wait: ms(wait), fast: ms(fast), query: ms(query), write: ms(write), job: ms(job) };
}

/** Returns the usual numbers with those given. `wanted` says what a wrong one must be. */
function numbersOf<Numbers extends object>(
  variable: string,
  given: Record<string, unknown>,
  usual: Numbers,
  wanted: (name: keyof Numbers, value: number) => string | undefined,
): Numbers {
  for (const [name, value] of Object.entries(membersOf(variable, given, Object.keys(usual)))) {
    const must = wanted(name as keyof Numbers, typeof value === "number" ? value : Number.NaN);
    if (must !== undefined)
      throw new Error(`${variable}: ${name} is ${JSON.stringify(value)}; it must be ${must}.`);
  }
  return { ...usual, ...given };
}
