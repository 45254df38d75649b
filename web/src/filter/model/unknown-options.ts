import { folded } from "../../../../src/core/folded.ts";
import type { AskField } from "./operators.ts";
import type { Part } from "./part.ts";

/** A value that is not among the options of its field. */
export interface UnknownOption {
  label: string;
  value: string;
}

/** Returns the values of a filter that are no option of their field, as the service compares them; each once. */
export function unknownOptions(
  part: Part,
  fields: readonly Pick<AskField, "name" | "label" | "options" | "type">[],
): UnknownOption[] {
  const found = new Map<string, UnknownOption>();
  const look = (part: Part): void => {
    if (part.kind === "group") for (const each of part.parts) look(each);
    if (part.kind !== "condition") return;
    const field = fields.find(({ name }) => name === part.field);
    if (field?.type !== "enum" || field.options === null || field.options.length === 0) return;
    const known = new Set(field.options.map(folded));
    for (const value of Array.isArray(part.value) ? part.value : [part.value])
      if (typeof value === "string" && !known.has(folded(value)))
        found.set(JSON.stringify([field.name, value]), { label: field.label, value });
  };
  look(part);
  return [...found.values()];
}
