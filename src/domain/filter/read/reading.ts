import { type Fault, Refusal } from "../../../core/refusal.ts";
import type { FindField } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import type { UnknownOption } from "./read-option.ts";

/** What reading a filter needs, and the faults found so far. */
export interface Reading {
  schema: ProjectSchema;
  find: FindField;
  /** Whose `where` is being read; views, events and datasets are not allowed inside. */
  inside?: "event" | "row";
  faults: Fault[];
  /** Values that are no option of their field, which the reader of the filter may refuse. */
  unknown: UnknownOption[];
  /** The name of the saved view that is being read. */
  view?: string | undefined;
}

/** Runs a reader and collects its faults, so that the following parts are read too. */
export function attempt<T>({ faults }: Pick<Reading, "faults">, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
    faults.push(...error.faults);
    return undefined;
  }
}
