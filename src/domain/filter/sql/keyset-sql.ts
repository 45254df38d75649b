import type { Position } from "../../operation/page.ts";
import type { SortKey } from "./sort-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

/**
 * Returns the conditions for rows after a position, one per section of the order: nulls and other values are
 * separate, so that an index returns each section in order.
 */
export function behind(keys: readonly SortKey[], position: Position, scope: StatementScope): string[] {
  const [first] = keys;
  const [value] = position;
  const after = afterSql(keys, position, scope);
  if (first === undefined || value === undefined) return [after];
  if (value === null) {
    return first.nulls === "last"
      ? [`${first.sql} IS NULL AND (${after})`]
      : [`${first.sql} IS NULL AND (${after})`, `${first.sql} IS NOT NULL`];
  }
  const bound = `${first.sql} ${first.descending ? "<=" : ">="} ${placed(first, value, scope)} AND (${after})`;
  return first.nulls === "last" ? [bound, `${first.sql} IS NULL`] : [bound];
}

/** The condition for rows after a position, with the id as last key: the first key that differs decides. */
function afterSql(keys: readonly SortKey[], position: Position, scope: StatementScope): string {
  const cases: string[] = [];
  const equal: string[] = [];
  keys.forEach((key, i) => {
    const value = position[i] ?? null;
    const later = laterSql(key, value, scope);
    if (later !== undefined) cases.push([...equal, later].join(" AND "));
    equal.push(value === null ? `${key.sql} IS NULL` : `${key.sql} = ${placed(key, value, scope)}`);
  });
  cases.push([...equal, `id > ${scope.parameters.text(position[keys.length] ?? "")}`].join(" AND "));
  return cases.map((each) => `(${each})`).join(" OR ");
}

/** The condition that one key is after a value; undefined if nothing can be. */
function laterSql(key: SortKey, value: string | null, scope: StatementScope): string | undefined {
  if (value === null) return key.nulls === "first" ? `${key.sql} IS NOT NULL` : undefined;
  const later = `${key.sql} ${key.descending ? "<" : ">"} ${placed(key, value, scope)}`;
  return key.nulls === "last" ? `(${later} OR ${key.sql} IS NULL)` : later;
}

const placed = (key: SortKey, value: string, scope: StatementScope): string =>
  scope.parameters.as(value, key.type);
