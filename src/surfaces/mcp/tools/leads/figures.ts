type Key = Record<string, unknown>;
type Values = Record<string, number | string | null>;

/** A group of leads with its figures by name. */
export interface Group {
  key: Key;
  metrics: Values;
}

/** What the statements returned: figures of all leads, counts of those that meet a condition, and waiting times. */
export interface Figures {
  main: Group[];
  some?: Group[];
  waits?: { key: Key; median_seconds: number | null; answered: number }[];
}

/** The value of a key whose leads have none: a group without a key is one of all leads. */
const NO_VALUE = "(no value)";

const keyText = ({ key }: { key: Key }): string => JSON.stringify(Object.entries(key));

/** Returns a number with at most so many decimals. */
const round = (value: number, decimals = 1): number => Number(value.toFixed(decimals));

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : round((100 * part) / whole);

/** How many leads a group has. */
const counted = (group: Group): number => Number(group.metrics.count ?? 0);

/**
 * Returns the named metrics of each group, those in percent and in hours computed. `all` is the group of all leads: a lead with
 * several tags is in several groups.
 */
export function groupsOf(
  { main, some = [], waits = [] }: Figures,
  names: readonly string[],
  all?: Group,
): Group[] {
  const whole = all === undefined ? main.reduce((sum, group) => sum + counted(group), 0) : counted(all);
  const met = new Map(some.map((group) => [keyText(group), counted(group)]));
  const waited = new Map(waits.map((group) => [keyText(group), group]));
  const figureIn = (group: Group, name: string): number | string | null => {
    if (name === "share") return percent(counted(group), whole);
    if (name === "rate") return percent(met.get(keyText(group)) ?? 0, counted(group));
    if (name !== "response_hours") return group.metrics[name] ?? null;
    const seconds = waited.get(keyText(group))?.median_seconds ?? null;
    return seconds === null ? null : round(seconds / 3_600, 2);
  };
  return main.map((group) => ({
    key: Object.fromEntries(Object.entries(group.key).map(([name, value]) => [name, value ?? NO_VALUE])),
    metrics: Object.fromEntries([
      ...(names.includes("rate") && !names.includes("count") ? [["count", counted(group)]] : []),
      ...names.flatMap((name) => [
        [name, figureIn(group, name)],
        ...(name === "response_hours" ? [["answered", waited.get(keyText(group))?.answered ?? 0]] : []),
        ...(name === "rate" ? [["where_count", met.get(keyText(group)) ?? 0]] : []),
      ]),
    ]),
  }));
}

/** Returns the groups of two spans together: each figure, the one before, and the change in percent, of percentages in points. */
export function merged(
  groups: readonly Group[],
  former: readonly Group[] | undefined,
  names: readonly string[],
): Group[] {
  if (former === undefined) return [...groups];
  const before = new Map(former.map((group) => [keyText(group), group]));
  const known = new Set(groups.map(keyText));
  const gone = former
    .filter((group) => !known.has(keyText(group)))
    .map(
      ({ key }): Group => ({
        key,
        metrics: Object.fromEntries(names.map((name) => [name, isCount(name) ? 0 : null])),
      }),
    );
  return [...groups, ...gone].map((group) => {
    const old = before.get(keyText(group))?.metrics ?? {};
    const pairs = Object.entries(group.metrics).flatMap(([name, value]) => {
      const was = old[name] ?? (isCount(name) ? 0 : null);
      const both = typeof value === "number" && typeof was === "number";
      const change =
        both && isPercent(name)
          ? [[`${name}_points`, round(value - was)]]
          : both && was !== 0
            ? [[`${name}_change`, round((100 * (value - was)) / Math.abs(was))]]
            : [];
      return [[name, value], [`${name}_before`, was], ...change] as [string, number | string | null][];
    });
    return { key: group.key, metrics: Object.fromEntries(pairs) };
  });
}

/** Percentages change by points: a change in percent of a percentage is misread. */
const isPercent = (name: string): boolean => name === "share" || name === "rate";

const isCount = (name: string): boolean => /^(count|share|answered|where_count)$|^count_/.test(name);

/** What to order groups by. */
export interface Order {
  field: string;
  dir?: "asc" | "desc";
}

/** Returns groups in order: as asked, else as they come if they are by time, else the largest first metric first. */
export function ordered(
  groups: readonly Group[],
  sort: readonly Order[],
  usual: { first: string; isByTime: boolean },
): Group[] {
  const asked = sort.length > 0 ? sort : usual.isByTime ? [] : [{ field: usual.first, dir: "desc" as const }];
  const figureIn = ({ key, metrics }: Group, field: string) => metrics[field] ?? key[field] ?? null;
  return [...groups].sort((a, b) => {
    for (const { field, dir = "asc" } of asked) {
      const [left, right] = [figureIn(a, field), figureIn(b, field)];
      if (left === right) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      const less =
        typeof left === "number" && typeof right === "number"
          ? left - right
          : String(left).localeCompare(String(right));
      if (less !== 0) return dir === "desc" ? -less : less;
    }
    return 0;
  });
}
