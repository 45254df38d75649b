import type { Value } from "../values/value.ts";

/** What to write to a lead, by field; null empties one. `custom` holds the custom fields that change. */
export interface LeadPatch {
  [field: string]: Value | null | CustomPatch | undefined;
  custom?: CustomPatch;
}

/** Custom fields by key; null empties one. */
export type CustomPatch = Record<string, Value | null>;
