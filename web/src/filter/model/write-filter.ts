import type { AnyFilter } from "./filter.ts";
import type { Condition, DatasetPart, EventPart, Group, Part } from "./part.ts";

/** A filter, and the JSON path of each of its parts by the part's id. */
export interface Written {
  filter: AnyFilter | undefined;
  places: ReadonlyMap<string, string>;
}

/** Returns the edited filter. Incomplete conditions are left out; without any condition it is undefined. */
export function writeFilter(root: Group): Written {
  const places = new Map<string, string>();
  const filter = write(root, "$.filter", places);
  return { filter: isWritten(filter) ? filter : undefined, places };
}

/** The service checks what the parts say. */
const isWritten = (filter: unknown): filter is AnyFilter => filter !== undefined;

type Places = Map<string, string>;

function write(part: Part, path: string, places: Places): unknown {
  const inside = bodyOf(part, path + ".not".repeat(part.nots), places);
  if (inside === undefined) return undefined;
  places.set(part.id, path);
  let filter = inside;
  for (let i = 0; i < part.nots; i += 1) filter = { not: filter };
  return filter;
}

function bodyOf(part: Part, path: string, places: Places): unknown {
  switch (part.kind) {
    case "group":
      return groupOf(part, path, places);
    case "condition":
      return conditionOf(part);
    case "view":
      return part.view === "" ? undefined : { view: part.view };
    case "event":
      return { event: eventOf(part, path, places) };
    case "dataset":
      return part.key === "" ? undefined : { dataset: datasetOf(part, path, places) };
    case "raw":
      return part.json;
  }
}

function groupOf({ join, bare, parts }: Group, path: string, places: Places): unknown {
  const whole = parts.filter(isWhole);
  const [only] = whole;
  if (only === undefined && (bare || parts.length > 0)) return undefined;
  if (bare && only !== undefined && whole.length === 1) return write(only, path, places);
  const list = whole.map((part, i) => write(part, `${path}.${join}[${i}]`, places));
  return { [join]: list };
}

/** Whether a part is complete. */
export function isWhole(part: Part): boolean {
  switch (part.kind) {
    case "group":
      return part.parts.some(isWhole) || (!part.bare && part.parts.length === 0);
    case "condition":
      return conditionOf(part) !== undefined;
    case "view":
      return part.view !== "";
    case "dataset":
      return part.key !== "";
    default:
      return true;
  }
}

/** Operators that only check whether there is a value. */
export const takesNoValue = (op: string): boolean => op === "is_empty" || op === "is_not_empty";

function conditionOf(condition: Condition): object | undefined {
  const { field, op, value } = condition;
  if (field === "" || field === "data." || op === "") return undefined;
  if (Object.hasOwn(condition, "value")) return { field, op, value };
  return takesNoValue(op) ? { field, op } : undefined;
}

function eventOf({ types, listed, where, ...more }: EventPart, path: string, places: Places): object {
  const inside = write(where, `${path}.event.where`, places);
  const [only = ""] = types;
  return {
    ...(types.length === 0 ? {} : { type: types.length > 1 || listed ? types : only }),
    ...(inside === undefined ? {} : { where: inside }),
    ...(more.occurred === undefined ? {} : { occurred: more.occurred }),
    ...(more.count === undefined ? {} : { count: more.count }),
    ...(more.pick === undefined ? {} : { pick: more.pick }),
  };
}

function datasetOf({ key, where, count }: DatasetPart, path: string, places: Places): object {
  const inside = write(where, `${path}.dataset.where`, places);
  return {
    key,
    ...(inside === undefined ? {} : { where: inside }),
    ...(count === undefined ? {} : { count }),
  };
}
