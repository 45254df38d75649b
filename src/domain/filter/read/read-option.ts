import { folded } from "../../../core/folded.ts";
import { nearest } from "../../../core/nearest.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { Field } from "../../fields/lead-field.ts";
import { quoted } from "../../values/bad-input.ts";

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
/** For how many faults the options are compared with the value. */
const RANKED = 3;

/**
 * Reads a value of a field with options as the stored options that it means, ignoring case and accents. An option
 * itself means only itself. A value that is no option stays as it is, and is added to `unknown`.
 */
export function readOption(
  field: Field,
  value: string,
  path: string,
  { unknown, view }: { unknown: UnknownOption[]; view?: string | undefined },
): readonly string[] {
  const { options = [] } = field;
  if (options.length === 0) return [value];
  const { all, byFolded } = knownOf(options);
  if (all.has(value)) return [value];
  const meant = byFolded.get(folded(value));
  if (meant !== undefined) return meant;
  unknown.push({ path, field, value, ...(view === undefined ? {} : { view }) });
  return [value];
}

/** A list of options prepared for the many values that a filter may have. */
interface Known {
  all: ReadonlySet<string>;
  byFolded: ReadonlyMap<string, readonly string[]>;
}

const prepared = new WeakMap<readonly string[], Known>();

function knownOf(options: readonly string[]): Known {
  const kept = prepared.get(options);
  if (kept !== undefined) return kept;
  const known = { all: new Set(options), byFolded: Map.groupBy(options, folded) };
  prepared.set(options, known);
  return known;
}

/**
 * Returns the fault of a value that is no option. It names the options: the first faults of a filter the nearest first,
 * which is a comparison with each of them, the others in their own order.
 */
export function unknownOptionFault({ path, field, value, view }: UnknownOption, place = 0): Fault {
  const ranks = place < RANKED;
  const most = ranks ? NAMED : NAMED_LATER;
  const options = ranks ? nearest(value, field.options ?? []) : (field.options ?? []);
  const more = options.length > most ? ` and ${options.length - most} more` : "";
  const named = options.slice(0, most).map(quoted).join(", ");
  const where = view === undefined ? "" : ` (in the view ${quoted(view)})`;
  return {
    path,
    code: "unknown_option",
    message: `${quoted(value)} is not an option of ${field.name}${where}; the options are ${named}${more}`,
  };
}
