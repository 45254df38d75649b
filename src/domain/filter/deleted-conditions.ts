import { type Fault, malformed } from "../../core/refusal.ts";
import { FIELD_BY_NAME } from "../fields/lead-field.ts";
import type { Service } from "../operation/service/service.ts";
import { warn } from "../operation/service/warn.ts";
import type { LeadSelection } from "./sql/lead-conditions.ts";

const MESSAGE =
  "cannot be filtered by, because only leads that are not deleted are found; POST /api/v1/leads/search with deleted: true " +
  "finds deleted ones";

/**
 * Refuses conditions on a field that only deleted leads have, or warns of them: surfaces that keep their answers, and
 * saved views that have such a condition, are answered as before. The filter passed measureFilter.
 */
export function settleDeleted(
  service: Pick<Service, "origin">,
  { filter, deleted }: Pick<LeadSelection, "filter" | "deleted">,
): void {
  const faults = deleted === true ? [] : deletedConditions(filter);
  if (faults.length > 0 && service.origin?.refusesUnknown === true) throw malformed(faults);
  warn(service, faults);
}

/** Returns a fault for each such condition of the filter itself, not of the views in it. */
export function deletedConditions(node: unknown, path = "$.filter"): Fault[] {
  if (typeof node !== "object" || node === null) return [];
  const { field, and, or, not } = node as Record<"field" | "and" | "or" | "not", unknown>;
  if (typeof field === "string" && FIELD_BY_NAME.get(field)?.ofDeleted === true)
    return [{ path: `${path}.field`, code: "not_filterable", message: `${field} ${MESSAGE}` }];
  const inside = (name: "and" | "or", parts: unknown) =>
    Array.isArray(parts) ? parts.flatMap((part, i) => deletedConditions(part, `${path}.${name}[${i}]`)) : [];
  return [...inside("and", and), ...inside("or", or), ...deletedConditions(not, `${path}.not`)].slice(0, 20);
}
