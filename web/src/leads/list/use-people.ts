import { useMemo } from "react";
import { useMembers, useRead } from "../../api/queries.ts";

/** The exact types of custom fields, which distinguish `date` and `datetime`; filters do not. */
export function useOwnTypes(): ReadonlyMap<string, string> {
  const { data } = useRead("fields", "/v1/fields", { staleTime: 60_000 });
  return useMemo(() => new Map(data?.fields.map(({ key, type }) => [`custom.${key}`, type])), [data]);
}

/** The names of the project's members by id. */
export function usePeople(): ReadonlyMap<string, string> {
  const { data } = useMembers();
  return useMemo(() => new Map(data?.members.map(({ id, name }) => [id, name])), [data]);
}
