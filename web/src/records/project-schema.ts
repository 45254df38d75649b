import { createContext, use, useMemo } from "react";
import type { CustomField, Field } from "../../../src/contract/fields/fields.ts";
import type { Member } from "../../../src/contract/members.ts";
import { useFields, useMembers, useRead, useStatuses } from "../api/queries.ts";

/** What the project's leads have: fields, statuses, and possible owners. */
export interface ProjectSchema {
  fields: ReadonlyMap<string, Field>;
  custom: ReadonlyMap<string, CustomField>;
  statuses: readonly string[];
  members: readonly Member[];
}

const NONE: ProjectSchema = { fields: new Map(), custom: new Map(), statuses: [], members: [] };

export const ProjectSchemaContext = createContext<ProjectSchema>(NONE);

export const useProjectSchema = (): ProjectSchema => use(ProjectSchemaContext);

/** Reads what `ProjectSchemaContext` holds; a screen loads it once. */
export function useReadProjectSchema(): {
  schema: ProjectSchema;
  isPending: boolean;
  error: Error | null;
  again(): void;
} {
  const fields = useFields();
  const custom = useRead("fields", "/v1/fields", { staleTime: 60_000 });
  const statuses = useStatuses();
  const members = useMembers();
  const schema = useMemo<ProjectSchema>(
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
    schema,
    isPending: asked.some((each) => each.isPending),
    error: asked.find((each) => each.error !== null)?.error ?? null,
    again: () => {
      for (const each of asked) void each.refetch();
    },
  };
}
