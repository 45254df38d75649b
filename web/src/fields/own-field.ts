import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { CustomFieldType } from "../../../src/contract/lists/column-types.ts";
import { keyOf, useApi } from "../api/queries.ts";

/** A custom field. */
export interface OwnField {
  key: string;
  label: string;
  type: CustomFieldType;
  options: string[];
  description: string | null;
  /** Whether its changes are shown on timelines. */
  timeline: boolean;
  indexed: boolean;
  /** When the index was built; null until then. */
  index_built_at: string | null;
  position: number;
}

export const PATH = "/v1/fields";

interface List {
  fields: OwnField[];
}

/** The custom fields in order; polled every two seconds while an index is being built. */
export function useOwnFields(): UseQueryResult<List> {
  const { projectId, get } = useApi();
  return useQuery<List>({
    queryKey: keyOf(projectId, "fields", PATH),
    queryFn: ({ signal }) => get(PATH, { signal }),
    refetchInterval: ({ state }) => (state.data?.fields.some(isBuilding) === true ? 2_000 : false),
  });
}

export const isBuilding = ({ indexed, index_built_at }: OwnField): boolean =>
  indexed && index_built_at === null;

/** Only numbers can be indexed. */
export const mayBeIndexed = (type: CustomFieldType): boolean => type === "integer" || type === "number";

/**
 * Returns the positions to write, by key, so that the fields get this order; unchanged ones are left out. Fields with the same
 * position are ordered by key, as in the service.
 */
export function placesIn(order: readonly OwnField[]): Map<string, number> {
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
