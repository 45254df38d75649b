import { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import { type Fault, malformed } from "../../../core/refusal.ts";
import { checkTexts as checkFieldTexts, checkOptions } from "../../custom-fields/field-input.ts";
import { faultFinder } from "../../operation/input-faults.ts";
import { unstorable } from "../../values/value.ts";

const faultsIn = faultFinder(ImportMapping);

/** Reads a mapping from parsed JSON; refuses faults with their JSON paths. */
export function readMapping(input: unknown): ImportMapping {
  const faults = faultsIn(input);
  if (faults.length > 0) throw malformed(faults);
  const mapping = input as ImportMapping;
  checkTexts(mapping);
  return mapping;
}

/** Refuses text in a mapping that PostgreSQL cannot store, and new fields that could not be created by themselves. */
export function checkTexts(mapping: ImportMapping): void {
  const faults = faultsOfTexts(mapping, "$");
  if (faults.length > 0) throw malformed(faults.slice(0, 20));
  for (const [key, { label, type, options = [] }] of Object.entries(mapping.fields ?? {})) {
    const at = `$.fields.${key}`;
    checkFieldTexts({ label, options }, at);
    checkOptions(type, options, at);
  }
}

function faultsOfTexts(value: unknown, path: string): Fault[] {
  if (typeof value === "string") {
    const fault = unstorable(value);
    return fault === undefined ? [] : [{ path, ...fault }];
  }
  if (Array.isArray(value)) return value.flatMap((each, i) => faultsOfTexts(each, `${path}[${i}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    unstorable(key) === undefined ? faultsOfTexts(inner, `${path}.${key}`) : faultsOfTexts(key, path),
  );
}
