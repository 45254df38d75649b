import { createContext, use, useMemo } from "react";
import { type LeadField, type Member, useFields, useMembers, useRead, useStatuses } from "../api/queries.ts";
import type { CustomField } from "./field-kind.ts";

/** What the project's leads have: fields, statuses, and who may own them. */
export interface FieldFacts {
  fields: ReadonlyMap<string, LeadField>;
  custom: ReadonlyMap<string, CustomField>;
  statuses: readonly string[];
  members: readonly Member[];
}

const NONE: FieldFacts = { fields: new Map(), custom: new Map(), statuses: [], members: [] };

export const FieldFactsContext = createContext<FieldFacts>(NONE);

export const useFieldFacts = (): FieldFacts => use(FieldFactsContext);

/** Reads what `FieldFactsContext` holds; a screen asks once. */
export function useReadFieldFacts(): {
  facts: FieldFacts;
  isPending: boolean;
  error: Error | null;
  again(): void;
} {
  const fields = useFields();
  const custom = useRead<{ fields: CustomField[] }>("fields", "/v1/fields", { staleTime: 60_000 });
  const statuses = useStatuses();
  const members = useMembers();
  const facts = useMemo<FieldFacts>(
    () => ({
      fields: new Map(fields.data?.fields.map((field) => [field.name, field])),
      custom: new Map(custom.data?.fields.map((field) => [field.key, field])),
      statuses: statuses.data?.statuses ?? [],
      members: members.data?.members ?? [],
    }),
    [fields.data, custom.data, statuses.data, members.data],
  );
  const asked = [fields, custom, statuses, members];
  return {
    facts,
    isPending: asked.some((each) => each.isPending),
    error: asked.find((each) => each.error !== null)?.error ?? null,
    again: () => {
      for (const each of asked) void each.refetch();
    },
  };
}
