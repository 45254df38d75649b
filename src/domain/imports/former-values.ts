import { Refusal } from "../../core/refusal.ts";

/** SQL for whether import `i` wrote something and an undo has nothing left to go by: its change was removed, or its values. */
export const FORGOTTEN_SQL = `(i.change_id IS NOT NULL AND NOT EXISTS (SELECT FROM change c
    WHERE c.project_id = $1 AND c.id = i.change_id AND c.items_gone_at IS NULL))`;

/** The refusal (409) of an undo whose former values are gone, as that of a change. */
export const valuesGone = (): Refusal =>
  new Refusal(
    "conflict",
    "values_gone",
    "The values that this import replaced are no longer kept, so it cannot be undone.",
  );
