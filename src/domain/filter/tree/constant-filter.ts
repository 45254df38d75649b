import type { Filter } from "./filter.ts";

/** Returns what a filter is for every record, such as false for an `or` of nothing; undefined if that depends on the record. */
export function constantOf(filter: Filter): boolean | undefined {
  switch (filter.kind) {
    case "and":
    case "or": {
      const deciding = filter.kind === "or";
      const each = filter.of.map(constantOf);
      if (each.includes(deciding)) return deciding;
      return each.includes(undefined) ? undefined : !deciding;
    }
    case "not": {
      const of = constantOf(filter.of);
      return of === undefined ? undefined : !of;
    }
    case "view":
      return constantOf(filter.of);
    default:
      return undefined;
  }
}
