import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";

/** A field of the project's own. */
export interface OwnField {
  key: string;
  label: string;
  type: string;
  options: string[];
  description: string | null;
  /** Whether its changes are told on timelines. */
  timeline: boolean;
  indexed: boolean;
  /** Since when the index holds; null until it is built. */
  index_built_at: string | null;
  position: number;
}

export const PATH = "/v1/fields";

interface List {
  fields: OwnField[];
}

/** The project's own fields in their order; asked again every two seconds while an index is being built. */
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

/** Only numbers have an order that is worth an index. */
export const mayBeIndexed = (type: string): boolean => type === "integer" || type === "number";

/**
 * The places that fields need to stand in this order, by key; those that stand right are left out. Fields of one place
 * stand by their keys, as the service has it.
 */
export function placesIn(order: readonly OwnField[]): Map<string, number> {
  const changes = new Map<string, number>();
  let last: { key: string; place: number } | undefined;
  for (const { key, position } of order) {
    // keys are lower-case ASCII, which compare here as they do in the database
    const least: number = last === undefined ? position : last.place + (last.key < key ? 0 : 1);
    const place: number = Math.max(position, least);
    if (place !== position) changes.set(key, place);
    last = { key, place };
  }
  return changes;
}
