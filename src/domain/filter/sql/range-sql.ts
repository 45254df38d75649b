import type { Point, Range } from "../tree/filter.ts";
import type { StatementScope } from "./statement-scope.ts";

/** Returns the condition that a value is between two edges, each of which is optional. */
export function rangeSql<T>(value: string, { from, until }: Range<T>, sql: (at: T) => string): string {
  const parts: string[] = [];
  if (from !== undefined) parts.push(`${value} ${from.inclusive ? ">=" : ">"} ${sql(from.at)}`);
  if (until !== undefined) parts.push(`${value} ${until.inclusive ? "<=" : "<"} ${sql(until.at)}`);
  return parts.join(" AND ");
}

/** Returns a point in time as SQL. Days and periods start at midnight in the zone, whatever its offset was then. */
export function momentSql(point: Point, scope: StatementScope): string {
  const { parameters } = scope;
  switch (point.kind) {
    case "instant":
      return `${parameters.text(point.iso)}::timestamptz`;
    case "day":
      return `((${parameters.text(point.day)}::date + ${point.plus})::timestamp AT TIME ZONE ${scope.zone})`;
    case "now": {
      if (point.n === 0) return scope.now;
      const span = `${parameters.add(point.n)}::integer * interval '1 ${point.unit}'`;
      if (point.unit === "minute" || point.unit === "hour") return `(${scope.now} + ${span})`;
      return `(((${scope.now} AT TIME ZONE ${scope.zone}) + ${span}) AT TIME ZONE ${scope.zone})`;
    }
    case "period": {
      const step = point.unit === "quarter" ? "3 months" : `1 ${point.unit}`;
      const here = `date_trunc('${point.unit}', ${scope.now} AT TIME ZONE ${scope.zone})`;
      return `((${here} + ${point.shift} * interval '${step}') AT TIME ZONE ${scope.zone})`;
    }
  }
}
