import { METRICS } from "../../../../contract/lists/figures.ts";
import { INTERVALS, type Interval } from "../../../../contract/lists/time.ts";
import { near } from "../../../../core/nearest.ts";
import type { Fault } from "../../../../core/refusal.ts";
import { assistantPath } from "../shared/filter.ts";
import { isOwner } from "../shared/owners.ts";
import { periodFaults } from "../shared/period.ts";
import { orderOf } from "../shared/sort.ts";
import type { Order } from "./figures.ts";

/** The arguments of summarize_leads that are read here. */
interface Given {
  group_by?: string[];
  metrics?: string[];
  sort?: string[];
  where?: unknown;
  period?: string;
  from?: string;
  to?: string;
  compare?: boolean;
}

/** What is asked, as the service names it. */
export interface Asked {
  groups: { field: string; interval?: Interval }[];
  metrics: string[];
  sort: Order[];
}

/** Metrics besides those of the service: parts of all leads, and how fast leads were answered. */
const OWN = ["share", "rate", "response_hours"];

type Metric = { op: (typeof METRICS)[number]; field?: string };

/** Longer names come first: `count_distinct_city` is no count of `distinct_city`. */
const OPS = [...METRICS].sort((a, b) => b.length - a.length);

/** The op and the field of a metric such as `sum_value`; undefined if it is none of the service's. */
function metricOf(name: string): Metric | undefined {
  if (name === "count") return { op: "count" };
  const op = OPS.find((each) => name.startsWith(`${each}_`));
  if (op === undefined) return undefined;
  const field = name.slice(op.length + 1);
  return { op, field: isOwner(field) ? "owner_id" : field };
}

const nameOf = ({ op, field }: Metric): string => (field === undefined ? op : `${op}_${field}`);

/** Returns what the arguments ask for; what is wrong with them is left to `faultsOf`. */
export function askedOf({ group_by: groups = [], metrics = ["count"], sort = [] }: Given): Asked {
  return {
    groups: groups.map((text) => {
      const [field = "", interval] = text.split(":");
      return {
        field: isOwner(field) ? "owner_id" : field,
        ...(interval === undefined ? {} : { interval: interval as Interval }),
      };
    }),
    metrics: metrics.map((name) => {
      const metric = metricOf(name);
      return metric === undefined ? name : nameOf(metric);
    }),
    sort: sort.map(orderOf),
  };
}

/** Returns the metrics that the service computes, and where each of them was asked for. */
export function serviceMetrics({ metrics }: Pick<Asked, "metrics">): { list: Metric[]; at: number[] } {
  const found = metrics.flatMap((name, at) => {
    const metric = OWN.includes(name) ? undefined : metricOf(name);
    return metric === undefined || name === "count" ? [] : [{ metric, at }];
  });
  return {
    list: [{ op: "count" }, ...found.map(({ metric }) => metric)],
    at: [0, ...found.map(({ at }) => at)],
  };
}

/** Returns what is wrong with the arguments as such; the service checks the fields. */
export function faultsOf(given: Given, asked: Asked): Fault[] {
  const { where, period, from, to, compare = false } = given;
  const faults: Fault[] = [];
  const refuse = (path: string, code: string, message: string) => faults.push({ path, code, message });
  for (const [i, name] of asked.metrics.entries()) {
    if (OWN.includes(name) || metricOf(name) !== undefined) continue;
    const known = ["count", ...OWN, ...METRICS.filter((op) => op !== "count").map((op) => `${op}_<field>`)];
    const [nearest] = near(name, known);
    const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    refuse(`$.metrics[${i}]`, "unknown_metric", `${quoted(name)} must be one of ${known.join(", ")}${hint}`);
  }
  for (const [i, { interval }] of asked.groups.entries())
    if (interval !== undefined && !INTERVALS.includes(interval))
      refuse(
        `$.group_by[${i}]`,
        "unknown_interval",
        `:${quoted(interval)} must be one of ${INTERVALS.join(", ")}`,
      );
  if (asked.metrics.includes("rate") && where === undefined)
    refuse("$.where", "required", "is required for rate: which leads of a group count");
  if (where !== undefined && !asked.metrics.includes("rate"))
    refuse("$.where", "unexpected", "is allowed only with the metric rate; filter selects the leads");
  faults.push(...periodFaults(given));
  if ((from === undefined) !== (to === undefined))
    refuse(from === undefined ? "$.from" : "$.to", "required", "from and to are required together");
  if (compare) {
    if (period === undefined && from === undefined)
      refuse("$.period", "required", "is required with compare, such as this_month");
    if (asked.groups.some(({ interval }) => interval !== undefined))
      refuse("$.compare", "unexpected", "is not allowed with an interval: each bucket is a period");
    for (const [name, value] of Object.entries({ from, to }))
      if (value !== undefined && !/^\d{4}-\d\d-\d\d$/.test(value))
        refuse(`$.${name}`, "not_a_day", "must be a day with compare, such as 2026-03-31");
  }
  return [...faults, ...sortFaults(asked, compare)];
}

/** Returns a path of the service's input as a path of the arguments. */
export function summaryPath(path: string, args: Given & { filter?: unknown; view?: unknown }): string {
  const [, metric] = /^\$\.metrics\[(\d+)\]/.exec(path) ?? [];
  if (metric !== undefined) return `$.metrics[${serviceMetrics(askedOf(args)).at[Number(metric)] ?? metric}]`;
  const [, group] = /^\$\.group_by\[(\d+)\]/.exec(path) ?? [];
  if (group !== undefined) return `$.group_by[${group}]`;
  const isSpanned = args.period !== undefined || args.from !== undefined;
  if (!isSpanned && args.where === undefined) return path;
  const [, place = "", rest = ""] = /^\$\.filter\.and\[(\d+)\](.*)$/.exec(path) ?? [];
  if (place === "") return path;
  const own = args.filter === undefined && args.view === undefined ? 0 : 1;
  const index = Number(place) - own;
  if (index < 0) return `$.filter${rest}`;
  if (!isSpanned || index > 1) return assistantPath(`$.filter${rest}`).replace("$.filter", "$.where");
  return rest === ".field" ? "$.date_field" : index === 0 ? "$.from" : "$.to";
}

/** Refuses an order by what the answer does not have. */
function sortFaults({ groups, metrics, sort }: Asked, compare: boolean): Fault[] {
  const names = metrics.flatMap((name) =>
    compare ? [name, `${name}_before`, `${name}_change`, `${name}_points`] : [name],
  );
  const known = [...groups.map(({ field }) => field), ...names];
  return sort.flatMap(({ field }, i) =>
    known.includes(field)
      ? []
      : [
          {
            path: `$.sort[${i}]`,
            code: "unknown_field",
            message: `${quoted(field)} must be one of ${known.join(", ")}`,
          },
        ],
  );
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 60));
