import type { ColumnProfile } from "../file/column-profile.ts";
import { mappingOf } from "../mapping/draft.ts";
import { customFor } from "../mapping/guess-kept.ts";
import { lostIn } from "../mapping/used-columns.ts";
import { type Ask, type Asking, ask, choice } from "./ask.ts";

const MOST_ASKED = 100;

/** Asks what becomes of columns that are notes, and of those that fill nothing. */
export function askUnused(asking: Asking): Ask[] {
  const { draft, columns, target, isGiven } = asking;
  if (target.rows !== null || isGiven) return [];
  const named = (name: string) => columns.find((column) => column.name === name);
  const notes = columns.filter(({ name, filled }) => filled > 0 && draft.rules.get(name)?.field === "note");
  const lost = lostIn(columns, mappingOf(draft, columns)).flatMap(({ name }) => named(name) ?? []);
  return [
    ...notes.map((column) => askColumn(asking, column, "note")),
    ...lost.slice(0, MOST_ASKED).map((column) => askColumn(asking, column, "unused_column")),
  ];
}

function askColumn(asking: Asking, column: ColumnProfile, kind: "note" | "unused_column"): Ask {
  const { draft } = asking;
  const { name, samples } = column;
  const custom = customFor(column, asking);
  return ask(kind, `${kind}:${name}`, {
    columns: [name],
    examples: samples.slice(0, 3),
    message:
      kind === "note"
        ? `"${name}" becomes a note on the timeline.`
        : `"${name}" fills no field and is left out.`,
    choices: [
      ...(kind === "note" ? [choice("note", "Notes on the timeline", samples)] : []),
      ...(custom === undefined ? [] : [choice("keep", "Keep it in a custom field", samples)]),
      ...(kind === "note" ? [] : [choice("note", "Notes on the timeline", samples)]),
      choice("drop", "Leave it out", samples),
    ],
    default: kind === "note" ? "note" : "drop",
    apply(picked) {
      draft.rules.delete(name);
      if (picked === "note") draft.rules.set(name, { field: "note" });
      if (picked === "keep" && custom !== undefined) {
        draft.rules.set(name, { field: custom.field });
        if (custom.isNew) draft.fields[custom.key] = { label: name.slice(0, 200), type: "text" };
      }
    },
  });
}
