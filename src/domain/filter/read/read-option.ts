import type { Fault } from "../../../core/refusal.ts";
import type { Field } from "../../fields/lead-field.ts";
import { quoted } from "../../values/bad-input.ts";
import { folded } from "../../values/folded.ts";
import { nearest } from "../../values/nearest.ts";

/** A value of a filter that is not an option of its field, so that no lead is expected to have it. */
export interface UnknownOption {
  path: string;
  field: Field;
  value: string;
  /** The name of the saved view that the value is in. */
  view?: string;
}

/** How many options an error names: many for the first faults of a filter, few for the others. */
const NAMED = 20;
const NAMED_LATER = 3;

/**
 * Reads a value of a field with options as the stored options that it means, ignoring case and accents. An option
 * itself means only itself. A value that is no option stays as it is, and is added to `unknown`.
 */
export function readOption(
  field: Field,
  value: string,
  path: string,
  { unknown, view }: { unknown: UnknownOption[]; view?: string | undefined },
): string[] {
  const { options = [] } = field;
  if (options.length === 0 || options.includes(value)) return [value];
  const wanted = folded(value);
  const meant = options.filter((option) => folded(option) === wanted);
  if (meant.length > 0) return meant;
  unknown.push({ path, field, value, ...(view === undefined ? {} : { view }) });
  return [value];
}

/** Returns the fault of a value that is no option; it names the options, the nearest first. */
export function unknownOptionFault({ path, field, value, view }: UnknownOption, place = 0): Fault {
  const most = place < NAMED_LATER ? NAMED : NAMED_LATER;
  const options = nearest(value, field.options ?? []);
  const more = options.length > most ? ` and ${options.length - most} more` : "";
  const named = options.slice(0, most).map(quoted).join(", ");
  const where = view === undefined ? "" : ` (in the view ${quoted(view)})`;
  return {
    path,
    code: "unknown_option",
    message: `${quoted(value)} is not an option of ${field.name}${where}; the options are ${named}${more}`,
  };
}
