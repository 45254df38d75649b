/**
 * SQL for a column's time moved back by an interval. Citus refuses `column - interval` in an UPDATE, because the result can depend on
 * the session's time zone.
 */
export const earlier = (column: string, interval: string): string =>
  `(${column} AT TIME ZONE 'UTC' - ${interval}) AT TIME ZONE 'UTC'`;
