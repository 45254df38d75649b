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
  const shown = `(${instant} AT TIME ZONE ${zone})`;
  // Only clocks that are set back over midnight show another date than the day's own, and those show late evenings.
  const day = `CASE WHEN ${shown}::time < '21:00' THEN ${shown} ELSE local_day(${instant}, ${zone})::timestamp END`;
  return `date_trunc('${interval}', ${day})::date`;
}
