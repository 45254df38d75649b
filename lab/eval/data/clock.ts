/** The time zone of the planted project, which has had no summer time since 2019. */
export const TIMEZONE = "America/Sao_Paulo";

const OFFSET_MS = -3 * 3_600_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Local dates of the planted project, relative to the time at which it is planted. */
export interface Clock {
  readonly now: Date;
  /** Returns the time of day (`HH:MM`) so many local days before today. */
  at(daysAgo: number, time: string): Date;
  /** The start of the present quarter. */
  readonly quarter: Date;
  /** The start of the quarter before. */
  readonly quarterBefore: Date;
}

export function clockOf(now: Date): Clock {
  const local = new Date(now.getTime() + OFFSET_MS);
  const year = local.getUTCFullYear();
  const first = Math.floor(local.getUTCMonth() / 3) * 3;
  const utc = (ms: number) => new Date(ms - OFFSET_MS);
  return {
    now,
    at(daysAgo, time) {
      const [hours = 0, minutes = 0] = time.split(":").map(Number);
      return utc(Date.UTC(year, local.getUTCMonth(), local.getUTCDate() - daysAgo, hours, minutes));
    },
    quarter: utc(Date.UTC(year, first, 1)),
    quarterBefore: utc(Date.UTC(year, first - 3, 1)),
  };
}

/** Returns the local day of a time, such as 2026-11-27. */
export const dayOf = (time: Date): string => new Date(time.getTime() + OFFSET_MS).toISOString().slice(0, 10);
