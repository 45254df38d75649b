import { useMemo } from "react";
import { type CursorPage, useMembers, useRead } from "../../api/queries.ts";

interface OwnField {
  key: string;
  type: string;
}

/** What the project's own fields hold, more exactly than filters need it: `date` and `datetime` are two. */
export function useOwnTypes(): ReadonlyMap<string, string> {
  const { data } = useRead<CursorPage<"fields", OwnField>>("fields", "/v1/fields", { staleTime: 60_000 });
  return useMemo(() => new Map(data?.fields.map(({ key, type }) => [`custom.${key}`, type])), [data]);
}

/** The names of the project's members by their ids. */
export function usePeople(): ReadonlyMap<string, string> {
  const { data } = useMembers();
  return useMemo(() => new Map(data?.members.map(({ id, name }) => [id, name])), [data]);
}
