import { type Fault, Refusal } from "../../../core/refusal.ts";
import type { Field } from "../../fields/lead-field.ts";
import type { ProjectFacts } from "../../fields/project-facts.ts";

/** Finds a field by its name, and where it has no type of its own by what is asked of it; 400 where there is none. */
export type FindField = (name: unknown, path: string, op?: unknown, value?: unknown) => Field;

/** What reading a filter needs, and the faults that it has found so far. */
export interface Reading {
  facts: ProjectFacts;
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
