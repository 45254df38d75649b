import type { Point, Range } from "../tree/filter.ts";
import { bucketSql, dayStartSql } from "./day-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

/** Returns the condition that a value is between two edges, each of which is optional. */
export function rangeSql<T>(value: string, { from, until }: Range<T>, sql: (at: T) => string): string {
  const parts: string[] = [];
  if (from !== undefined) parts.push(`${value} ${from.inclusive ? ">=" : ">"} ${sql(from.at)}`);
  if (until !== undefined) parts.push(`${value} ${until.inclusive ? "<=" : "<"} ${sql(until.at)}`);
  return parts.join(" AND ");
}

/** Returns a point in time as SQL. Days and periods start with their first instant in the zone. */
export function momentSql(point: Point, scope: StatementScope): string {
  const { parameters } = scope;
  switch (point.kind) {
    case "instant":
      return `${parameters.text(point.iso)}::timestamptz`;
    case "day":
      return dayStartSql(`${parameters.text(point.day)}::date + ${point.plus}`, scope);
    case "now": {
      if (point.n === 0) return scope.now;
      const span = `${parameters.add(point.n)}::integer * interval '1 ${point.unit}'`;
      if (point.unit === "minute" || point.unit === "hour") return `(${scope.now} + ${span})`;
      return `(((${scope.now} AT TIME ZONE ${scope.zone}) + ${span}) AT TIME ZONE ${scope.zone})`;
    }
    case "period": {
      const step = point.unit === "quarter" ? "3 months" : `1 ${point.unit}`;
      return dayStartSql(
        `${bucketSql(point.unit, scope.now, scope)} + ${point.shift} * interval '${step}'`,
        scope,
      );
    }
  }
}
