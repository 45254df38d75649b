import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";
import { done, failed } from "../parts/toast.ts";
import { useLocale } from "../words/use-words.ts";
import { REFUSALS } from "./form-words.ts";
import { type OwnField, PATH, placesIn } from "./own-field.ts";

/** The properties to write; the others are kept. */
type FieldPatch = Partial<
  Pick<OwnField, "label" | "type" | "options" | "description" | "timeline" | "indexed" | "position">
>;

export type FieldChange =
  | { create: FieldPatch & { key: string } }
  | { key: string; patch: FieldPatch }
  | { remove: string; force: boolean };

/** The number of positions written in parallel. */
const AT_ONCE = 4;

/** Creates, changes or deletes a field, and invalidates what depends on fields. The dialogs show refusals. */
export function useChangeField(): UseMutationResult<unknown, Error, FieldChange> {
  const { projectId, send } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: FieldChange) => {
      if ("create" in change) return await send("POST", PATH, change.create);
      if ("remove" in change)
        return await send("DELETE", `${PATH}/${change.remove}${change.force ? "?force=true" : ""}`);
      return await send("PATCH", `${PATH}/${change.key}`, change.patch);
    },
    async onSuccess(_, change) {
      const another = !("create" in change) && ("remove" in change || change.patch.type !== undefined);
      if (another) void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads") });
      await queries.invalidateQueries({ queryKey: keyOf(projectId, "fields") });
    },
  });
}

/** Reorders the fields, starting from their stored order. */
export function useMoveField(said: string): UseMutationResult<void, Error, Move> {
  const { projectId, get, send } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  return useMutation({
    async mutationFn(to: Move) {
      const { fields } = await get<{ fields: OwnField[] }>(PATH);
      const order = to(fields);
      const places = placesIn(order);
      const moved = order.map((field) => ({ ...field, position: places.get(field.key) ?? field.position }));
      queries.setQueryData(keyOf(projectId, "fields", PATH), { fields: moved });
      const writes = [...places];
      for (let at = 0; at < writes.length; at += AT_ONCE)
        await Promise.all(
          writes
            .slice(at, at + AT_ONCE)
            .map(([key, position]) => send("PATCH", `${PATH}/${key}`, { position })),
        );
    },
    onSuccess: () => done(said),
    onError: (error) => failed(locale, error, REFUSALS[locale]),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(projectId, "fields") }),
  });
}

export type Move = (fields: OwnField[]) => OwnField[];
