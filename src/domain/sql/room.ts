/**
 * SQL of the part `room` of a statement: one row while a project has fewer than `most` of these rows, and none otherwise. `rows` is a
 * table with its conditions. Concurrent requests may each find room.
 */
export const roomSql = (rows: string, most: number | string): string =>
  `room AS MATERIALIZED (SELECT count(*) FROM ${rows} HAVING count(*) < ${most})`;
