import { customKey, isCustom, type Value } from "../values/value.ts";

/** What to write to a lead, by field; null empties one. `custom` holds the custom fields that change. */
export interface LeadPatch {
  [field: string]: Value | null | CustomPatch | undefined;
  custom?: CustomPatch;
}

/** Custom fields by key; null empties one. */
export type CustomPatch = Record<string, Value | null>;

/** The patch that sets these fields, by the names that changes give them, such as `custom.plan`. */
export function patchOf(values: Iterable<readonly [string, unknown]>): LeadPatch {
  const patch: LeadPatch = {};
  for (const [field, value] of values) {
    if (!isCustom(field)) patch[field] = value as Value | null;
    else {
      patch.custom ??= {};
      patch.custom[customKey(field)] = value as Value | null;
    }
  }
  return patch;
}
