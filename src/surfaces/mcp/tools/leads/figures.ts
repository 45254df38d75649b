type Key = Record<string, unknown>;
type Values = Record<string, number | string | null>;

/** A group of leads with its figures by name. */
export interface Group {
  key: Key;
  metrics: Values;
  /** The amounts of each currency, by metric. */
  by_currency?: Amounts;
  /** The same of the period before. */
  by_currency_before?: Amounts;
}

type Amounts = Record<string, Record<string, number>>;

/** What the statements returned: figures of all leads, counts of those that meet a condition, and waiting times. */
export interface Figures {
  main: Group[];
  some?: Group[];
  waits?: { key: Key; median_seconds: number | null; answered: number }[];
}

/** Whether a metric is an amount of money. */
export const isMoney = (name: string): boolean => /^(sum|avg|median|min|max)_value$/.test(name);

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
    ...(group.by_currency === undefined ? {} : { by_currency: group.by_currency }),
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
    const was = before.get(keyText(group));
    const old = was?.metrics ?? {};
    const pairs = Object.entries(group.metrics).flatMap(([name, value]) => {
      const former = old[name] ?? (isCount(name) ? 0 : null);
      const both =
        typeof value === "number" &&
        typeof former === "number" &&
        currencyOf(group, name) === currencyOf(was, name);
      const change =
        both && isPercent(name)
          ? [[`${name}_points`, round(value - former)]]
          : both && former !== 0
            ? [[`${name}_change`, round((100 * (value - former)) / Math.abs(former))]]
            : [];
      return [[name, value], [`${name}_before`, former], ...change] as [string, number | string | null][];
    });
    return {
      ...{ ...group, metrics: Object.fromEntries(pairs) },
      ...(was?.by_currency === undefined ? {} : { by_currency_before: was.by_currency }),
    };
  });
}

/** The currencies of an amount, as a text to compare; amounts in different ones have no change. */
const currencyOf = (group: Group | undefined, name: string): string =>
  Object.keys(group?.by_currency?.[name] ?? {}).join(" ");

/** Percentages change by points: a change in percent of a percentage is misread. */
const isPercent = (name: string): boolean => name === "share" || name === "rate";

const isCount = (name: string): boolean => /^(count|share|answered|where_count)$|^count_/.test(name);

/** What to order groups by. */
export interface Order {
  field: string;
  dir?: "asc" | "desc";
}

/**
 * Returns groups in order: as asked, else as they come if they are by time, else the largest first metric first. Amounts in
 * the `main` currency come first, as those in another cannot be compared with them.
 */
export function ordered(
  groups: readonly Group[],
  sort: readonly Order[],
  usual: { first: string; isByTime: boolean; main?: string | undefined },
): Group[] {
  const asked = sort.length > 0 ? sort : usual.isByTime ? [] : [{ field: usual.first, dir: "desc" as const }];
  const figureIn = ({ key, metrics }: Group, field: string) => metrics[field] ?? key[field] ?? null;
  const mainIn = (group: Group, field: string) => {
    const amounts = field.endsWith("_before") ? group.by_currency_before : group.by_currency;
    return amounts?.[field.replace(/_before$/, "")]?.[usual.main ?? ""] ?? null;
  };
  return [...groups].sort((a, b) => {
    const pairs = asked.flatMap(({ field, dir }) =>
      [...(isMoney(field.replace(/_before$/, "")) ? [mainIn] : []), figureIn].map(
        (read) => [dir, read(a, field), read(b, field)] as const,
      ),
    );
    for (const [dir = "asc", left, right] of pairs) {
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
