import { type Fault, Refusal } from "../../../core/refusal.ts";
import type { FindField } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";

/** What reading a filter needs, and the faults that it has found so far. */
export interface Reading {
  schema: ProjectSchema;
  find: FindField;
  /** Whose `where` is read; inside there are neither views nor events nor datasets. */
  inside?: "event" | "row";
  faults: Fault[];
}

/** Reads what may be wrong; its faults are kept, so that the next part is read too. */
export function attempt<T>({ faults }: Pick<Reading, "faults">, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
    faults.push(...error.faults);
    return undefined;
  }
}
