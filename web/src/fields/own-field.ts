import { useQuery } from "@tanstack/react-query";
import type { CustomField } from "../../../src/contract/fields/fields.ts";
import type { CustomFieldType } from "../../../src/contract/lists/column-types.ts";
import { keyOf, useApi } from "../api/queries.ts";

export const PATH = "/v1/fields";

/** The custom fields in order; polled every two seconds while an index is being built. */
export function useOwnFields() {
  const { projectId, call } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "fields", PATH),
    queryFn: ({ signal }) => call("GET", PATH, { signal }),
    refetchInterval: ({ state }) => (state.data?.fields.some(isBuilding) === true ? 2_000 : false),
  });
}

export const isBuilding = ({ indexed, index_built_at }: CustomField): boolean =>
  indexed && index_built_at === null;

/** Only numbers can be indexed. */
export const mayBeIndexed = (type: CustomFieldType): boolean => type === "integer" || type === "number";

/**
 * Returns the positions to write, by key, so that the fields get this order; unchanged ones are left out. Fields with the same
 * position are ordered by key, as in the service.
 */
export function placesIn(order: readonly CustomField[]): Map<string, number> {
  const changes = new Map<string, number>();
  let last: { key: string; place: number } | undefined;
  for (const { key, position } of order) {
    // keys are lowercase ASCII, so they compare here as in the database
    const least: number = last === undefined ? position : last.place + (last.key < key ? 0 : 1);
    const place: number = Math.max(position, least);
    if (place !== position) changes.set(key, place);
    last = { key, place };
  }
  return changes;
}
