/**
 * The days on which the minor versions of the PostgreSQL that comes along were released (postgresql.org/docs/release). Programs do not
 * carry them. 18.5 was never released.
 */
const RELEASED: Readonly<Record<string, string>> = {
  "18.0": "2025-09-25",
  "18.1": "2025-11-13",
  "18.2": "2026-02-12",
  "18.3": "2026-02-26",
  "18.4": "2026-05-14",
  "18.6": "2026-08-13",
};

/** The version of a PostgreSQL, such as 18.4, and how it compares with those that were known when this release was made. */
export interface PostgresRelease {
  version: string;
  /** The day of its release, such as 2026-05-14; undefined if this release does not know it. */
  released: string | undefined;
  /** How many whole days ago that was; undefined if the day is unknown. */
  days: number | undefined;
  /** Known newer minor versions of the same major version with their days, oldest first. */
  newer: { version: string; released: string }[];
}

const DAY_MS = 86_400_000;

/** Returns what is known about a version such as `18.4` at a time. */
export function postgresRelease(version: string, now: Date): PostgresRelease {
  const [major, minor] = numbersOf(version);
  const released = RELEASED[version];
  const newer = Object.entries(RELEASED)
    .map(([each, day]) => ({ version: each, released: day }))
    .filter((each) => numbersOf(each.version)[0] === major && numbersOf(each.version)[1] > minor)
    .sort((a, b) => numbersOf(a.version)[1] - numbersOf(b.version)[1]);
  const days =
    released === undefined ? undefined : Math.floor((now.getTime() - Date.parse(released)) / DAY_MS);
  return { version, released, days, newer };
}

function numbersOf(version: string): [number, number] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return [major, minor];
}
