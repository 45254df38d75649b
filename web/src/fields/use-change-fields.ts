import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { CustomField, CustomFieldInput, CustomFieldPatch } from "../../../src/contract/fields/fields.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { useSubmit } from "../api/use-submit.ts";
import { useDone } from "../changes/use-done.ts";
import { failed } from "../parts/toast.ts";
import { useLocale } from "../words/use-words.ts";
import { REFUSALS } from "./form-words.ts";
import { PATH, placesIn } from "./own-field.ts";

export type FieldChange =
  | { create: CustomFieldInput }
  | { key: string; patch: CustomFieldPatch }
  | { remove: string; force: boolean };

const ONE = "/v1/fields/{key}";

/** The number of positions written in parallel. */
const AT_ONCE = 4;

/** Creates, changes or deletes a field, and invalidates what depends on fields. The dialogs show refusals. */
export function useChangeField() {
  const { projectId, write } = useApi();
  const queries = useQueryClient();
  return useSubmit({
    mutationFn: async (change: FieldChange) => {
      if ("create" in change) return await write("POST", PATH, { body: change.create });
      if ("remove" in change)
        return await write("DELETE", ONE, {
          params: { key: change.remove },
          query: change.force ? { force: true } : {},
        });
      return await write("PATCH", ONE, { params: { key: change.key }, body: change.patch });
    },
    async onSuccess(_, change) {
      const another = !("create" in change) && ("remove" in change || change.patch.type !== undefined);
      if (another) void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads") });
      await queries.invalidateQueries({ queryKey: keyOf(projectId, "fields") });
    },
  });
}

/** Reorders the fields, starting from their stored order. */
export function useMoveField(said: string): UseMutationResult<string[], Error, Move> {
  const { projectId, call, write } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const done = useDone();
  return useMutation({
    async mutationFn(to: Move) {
      const { fields } = await call("GET", PATH);
      const order = to(fields);
      const places = placesIn(order);
      const moved = order.map((field) => ({ ...field, position: places.get(field.key) ?? field.position }));
      queries.setQueryData(keyOf(projectId, "fields", PATH), { fields: moved });
      const writes = [...places];
      const changes: string[] = [];
      for (let at = 0; at < writes.length; at += AT_ONCE) {
        const some = await Promise.all(
          writes
            .slice(at, at + AT_ONCE)
            .map(([key, position]) => write("PATCH", ONE, { params: { key }, body: { position } })),
        );
        changes.push(...some.flatMap(({ change }) => change ?? []));
      }
      return changes;
    },
    onSuccess: (changes) => done(said, changes),
    onError: (error) => failed(locale, error, REFUSALS[locale]),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(projectId, "fields") }),
  });
}

export type Move = (fields: CustomField[]) => CustomField[];
