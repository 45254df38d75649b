import type { Interval } from "../../../contract/lists/time.ts";
import type { StatementScope } from "./statement-scope.ts";

/**
 * Returns the start of a day in the zone (day_start in migration 0038), as a subquery so that it is computed once and
 * not for each row.
 */
export const dayStartSql = (day: string, { zone }: StatementScope): string =>
  `(SELECT day_start((${day})::date, ${zone}))`;

/** Returns the first day of the interval in which an instant falls, by the clocks of the zone. */
export function bucketSql(interval: Interval, instant: string, { zone }: StatementScope): string {
  const shown = `(at AT TIME ZONE ${zone})`;
  const around = (hours: number) => `((at + interval '${hours} hours') AT TIME ZONE ${zone})`;
  // Only clocks that are set back over midnight show another date than the day's own, so only rows of late evenings, and
  // only of nights in which clocks go back, ask for it. The subquery computes the instant once.
  const late = `${shown}::time >= '21:00' AND ${around(3)} - ${around(-3)} < interval '6 hours'`;
  const day = `CASE WHEN ${late} THEN local_day(at, ${zone})::timestamp ELSE ${shown} END`;
  return `(SELECT date_trunc('${interval}', ${day})::date FROM (SELECT ${instant} AS at OFFSET 0) AS moment)`;
}
