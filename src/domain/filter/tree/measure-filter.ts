import { BECAME, MEANING_FIELD } from "../../../contract/lists/figures.ts";
import type { SavedView } from "../../fields/project-schema.ts";
import { bad, quoted } from "../../values/bad-input.ts";
import { sizeOf } from "../../values/size-of.ts";

const DEEPEST = 8;
const MOST = 100;
const MOST_EVENTS = 10;
const MOST_DATASETS = 5;
const LARGEST = 262_144;

/** Groups without conditions count too, so that a filter has at most a thousand nodes. */
const MOST_NODES = MOST * 10;

/** What must be known of the project to read a filter. */
export interface FilterMeasure {
  /** Whether it compares a status, or names a custom field or a phone number without country code. */
  needsSchema: boolean;
  /** The ids of the views in it. */
  views: string[];
  /** The number of event conditions. */
  events: number;
  /** The keys of the datasets in it, one for each condition. */
  datasets: string[];
}

interface Part {
  node: unknown;
  path: string;
  depth: number;
  /** The views around it, outermost first. */
  within: readonly string[];
}

/**
 * Measures a filter without recursion, before recursive readers see it: at most 8 nested groups, 100 conditions, 10
 * of events, 5 of datasets, 256 KB. With `views`, measures their filters too; without it, lists them.
 */
export function measureFilter(
  filter: unknown,
  path = "$.filter",
  views?: ReadonlyMap<string, SavedView>,
): FilterMeasure {
  if (sizeOf(filter, LARGEST) > LARGEST) bad(path, "too_large", "must not be larger than 256 KB");
  const waiting: Part[] = [{ node: filter, path, depth: 1, within: [] }];
  const measure: FilterMeasure = { needsSchema: false, views: [], events: 0, datasets: [] };
  let [conditions, nodes] = [0, 0];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { node, depth } = part;
    if (typeof node !== "object" || node === null) continue;
    const inside = partsOf(node, part, measure, views);
    if (depth > DEEPEST && (isGroup(node) || inside.length > 0))
      bad(part.path, "too_deep", `must not be nested deeper than ${DEEPEST} groups`);
    if (!isGroup(node) && !("view" in node)) conditions += 1;
    nodes += inside.length;
    if (conditions > MOST) bad(path, "too_many_conditions", `must have at most ${MOST} conditions`);
    if (nodes > MOST_NODES) bad(path, "too_many_conditions", "has too many parts");
    if (measure.events > MOST_EVENTS)
      bad(part.path, "too_many_events", `exceeds the limit of ${MOST_EVENTS} event conditions`);
    if (measure.datasets.length > MOST_DATASETS) {
      const message = `exceeds the limit of ${MOST_DATASETS} dataset conditions`;
      bad(part.path, "too_many_datasets", message);
    }
    waiting.push(...inside.reverse());
  }
  return measure;
}

const isGroup = (node: object): boolean =>
  "not" in node || ("and" in node && Array.isArray(node.and)) || ("or" in node && Array.isArray(node.or));

/** The parts of a group, a view or an event condition; empty for anything else. */
function partsOf(
  node: object,
  { path, depth, within }: Part,
  measure: FilterMeasure,
  views: ReadonlyMap<string, SavedView> | undefined,
): Part[] {
  const part = (child: unknown, at: string, around = within): Part => ({
    node: child,
    path: at,
    depth: depth + 1,
    within: around,
  });
  if ("not" in node) return [part(node.not, `${path}.not`)];
  for (const word of ["and", "or"] as const) {
    const list = (node as Record<string, unknown>)[word];
    if (!Array.isArray(list)) continue;
    if (list.length > MOST_NODES) bad(path, "too_many_conditions", "has too many parts");
    return list.map((child, i) => part(child, `${path}.${word}[${i}]`));
  }
  if ("event" in node) {
    measure.events += 1;
    measure.needsSchema ||= asksForMeaning(node.event);
    return whereOf(node.event).map((child) => part(child, `${path}.event.where`));
  }
  if ("dataset" in node) {
    const { dataset } = node;
    const key = typeof dataset === "object" && dataset !== null && "key" in dataset ? dataset.key : "";
    measure.datasets.push(String(key));
    return whereOf(dataset).map((child) => part(child, `${path}.dataset.where`));
  }
  if ("view" in node && typeof node.view === "string") {
    measure.views.push(node.view);
    const view = views?.get(node.view);
    if (within.includes(node.view))
      bad(`${path}.view`, "view_in_itself", `the view ${quoted(view?.name ?? node.view)} refers to itself`);
    return view?.filter === undefined ? [] : [part(view.filter, `${path}.view`, [...within, node.view])];
  }
  measure.needsSchema ||= asksTheProject(node);
  return [];
}

const asksForMeaning = (event: unknown): boolean =>
  typeof event === "object" &&
  event !== null &&
  "type" in event &&
  [event.type].flat().some((type) => BECAME.some((became) => became === type));

const whereOf = (asked: unknown): unknown[] =>
  typeof asked === "object" && asked !== null && "where" in asked ? [asked.where] : [];

function asksTheProject(node: object): boolean {
  const { field, value } = node as { field?: unknown; value?: unknown };
  if (typeof field !== "string") return false;
  if (field.startsWith("custom.")) return true;
  if (field === "status" || field === MEANING_FIELD) return value !== undefined;
  const numbers = Array.isArray(value) ? value : [value];
  return field === "phone" && numbers.some((number) => typeof number === "string" && !/^\s*\+/.test(number));
}
