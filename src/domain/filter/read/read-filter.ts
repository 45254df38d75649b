import { MEANING_FIELD, MEANINGS } from "../../../contract/lists/figures.ts";
import { malformed, Refusal } from "../../../core/refusal.ts";
import type { Field, FindField } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { findField } from "../../fields/project-schema.ts";
import { bad, quoted } from "../../values/bad-input.ts";
import type { Filter } from "../tree/filter.ts";
import { readCondition } from "./read-condition.ts";
import { readDataset } from "./read-dataset.ts";
import { readEvent } from "./read-event.ts";
import type { UnknownOption } from "./read-option.ts";
import { attempt, type Reading } from "./reading.ts";
import { searchWords } from "./search-words.ts";

const FORMS =
  'must be {"and": […]}, {"or": […]}, {"not": …}, {"view": "view_…"}, {"event": {…}}, {"dataset": {…}} or {"field", "op", "value"}';
const INNER_FORMS = {
  event: 'must be {"and": […]}, {"or": […]}, {"not": …} or {"field", "op", "value"} of an event',
  row: 'must be {"and": […]}, {"or": […]}, {"not": …} or {"field", "op", "value"} of a row',
};
const MOST_FAULTS = 20;

/**
 * Reads a filter that passed measureFilter. The refusal lists up to 20 faults, each with its JSON path. Values that are
 * no option of their field are added to `unknown`.
 */
export function readFilter(node: unknown, schema: ProjectSchema, unknown: UnknownOption[] = []): Filter {
  return readWhole(node, readingOf(schema, unknown), "$.filter");
}

const readingOf = (schema: ProjectSchema, unknown: UnknownOption[], view?: string): Reading => ({
  schema,
  find: (name, at) => (name === MEANING_FIELD ? MEANING : findField(name, at, schema)),
  faults: [],
  unknown,
  view,
});

/** Conditions on meanings become conditions on the statuses that have them (see readTest). */
const MEANING: Field = {
  ...{ name: MEANING_FIELD, type: "enum", column: "status", required: true },
  ...{ label: "Status meaning", options: MEANINGS },
};

/** Reads a filter over the rows of a dataset. */
export function readRowFilter(
  node: unknown,
  schema: ProjectSchema,
  find: FindField,
  unknown: UnknownOption[] = [],
): Filter {
  return readWhole(node, { schema, find, inside: "row", faults: [], unknown }, "$.filter");
}

function readWhole(node: unknown, reading: Reading, path: string): Filter {
  const filter = readPart(node, reading, path);
  if (reading.faults.length > 0) throw malformed(reading.faults.slice(0, MOST_FAULTS));
  return filter;
}

const NOTHING: Filter = { kind: "or", of: [] };

const readPart = (node: unknown, reading: Reading, path: string): Filter =>
  attempt(reading, () => formOf(node, reading, path)) ?? NOTHING;

function formOf(node: unknown, reading: Reading, path: string): Filter {
  const forms = reading.inside === undefined ? FORMS : INNER_FORMS[reading.inside];
  if (typeof node !== "object" || node === null || Array.isArray(node)) bad(path, "unknown_form", forms);
  if (Object.hasOwn(node, "field")) return readCondition(node, reading, path);
  const [word = "", ...others] = Object.keys(node);
  if (others.length > 0) bad(path, "unknown_form", forms);
  const inside = (node as Record<string, unknown>)[word];
  if (word === "not") return { kind: "not", of: readPart(inside, reading, `${path}.not`) };
  if (word === "and" || word === "or") {
    if (!Array.isArray(inside)) bad(`${path}.${word}`, "type", "must be an array of filters");
    return { kind: word, of: inside.map((child, i) => readPart(child, reading, `${path}.${word}[${i}]`)) };
  }
  if (reading.inside !== undefined) return bad(path, "unknown_form", forms);
  if (word === "event") return readEvent(inside, reading, `${path}.event`, readPart);
  if (word === "view") return readView(inside, reading, `${path}.view`);
  if (word === "dataset") return readDataset(inside, reading, `${path}.dataset`, readPart);
  return bad(path, "unknown_form", forms);
}

/** Reads the filter and the search of a saved view. */
function readView(id: unknown, { schema, unknown }: Reading, path: string): Filter {
  if (typeof id !== "string") bad(path, "type", "must be the id of a saved view");
  const view = schema.views.get(id);
  if (view === undefined) bad(path, "unknown_view", `${quoted(id)} is not a view of this project`);
  try {
    const words = searchWords(view.search ?? "", path);
    const of: Filter[] = words.length === 0 ? [] : [{ kind: "words", words }];
    if (view.filter !== undefined)
      of.unshift(readWhole(view.filter, readingOf(schema, unknown, view.name), path));
    return { kind: "view", name: view.name, of: { kind: "and", of } };
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "malformed" || error.code === "broken_view")
      throw error;
    return bad(
      path,
      "broken_view",
      `the view ${quoted(view.name)} no longer fits this project: ${error.message}`,
    );
  }
}
