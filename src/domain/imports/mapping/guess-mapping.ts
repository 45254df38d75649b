import type { FoundPreset } from "../../../contract/imports/import.ts";
import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import { SHARED_FIELDS } from "../../../contract/lists/opt-outs.ts";
import { isId } from "../../../core/id.ts";
import type { ColumnGuess, ColumnProfile } from "../file/column-profile.ts";
import { guessKept, prefixOf } from "./guess-kept.ts";
import { fieldByWords, plainHeader } from "./header-words.ts";
import type { ImportTarget } from "./import-target.ts";
import { optOutRule } from "./opt-outs.ts";
import type { Preset } from "./preset-list.ts";
import { detectPreset, presetNamed } from "./presets.ts";

/** The guess of each column's field. */
export type Guesses = Map<string, ColumnGuess>;

/**
 * Guesses a mapping from headers and cells; unknown columns are left out. New custom fields are proposed only to a
 * caller who may create them.
 */
export function guessMapping(
  columns: readonly ColumnProfile[],
  target: ImportTarget,
  { preset: declared, mayCreate }: { preset?: string | undefined; mayCreate: boolean },
): { mapping: ImportMapping; preset: FoundPreset | null; guesses: Guesses } {
  const header = columns.map(({ name }) => name);
  const detected = declared === undefined ? detectPreset(header) : undefined;
  const preset = declared === undefined ? detected?.preset : presetNamed(declared);
  const own = new Map(
    Object.entries(preset?.columns ?? {}).map(([name, field]) => [plainHeader(name), field]),
  );
  const rules = new Map<string, Rule>();
  const taken = new Set<string>();
  const guesses: Guesses = new Map();
  const take = (column: ColumnProfile, wanted: Rule | undefined, by: ColumnGuess["by"]) => {
    const field = typeof wanted === "object" ? wanted.field : wanted;
    if (field === undefined || rules.has(column.name) || (taken.has(field) && !SHARED_FIELDS.has(field)))
      return;
    if (field !== "id" && !target.fields.has(field)) return;
    const rule = typeof wanted === "object" ? wanted : ruleOf(column, field, target, preset);
    if (rule === undefined) return;
    const filled = typeof rule === "string" ? rule : rule.field;
    taken.add(filled);
    guesses.set(column.name, { field: filled, by });
    rules.set(column.name, rule);
  };
  for (const column of columns) take(column, own.get(plainHeader(column.name)), "preset");
  for (const column of columns) if (!isNamed(column, target)) take(column, optOutRule(column), "words");
  for (const column of columns) take(column, fieldByName(column, target), "name");
  for (const column of columns) take(column, fieldByWords(column.name), "words");
  for (const column of columns) take(column, target.labels.get(plainHeader(column.name)), "name");
  const left = columns.filter(({ name }) => !rules.has(name));
  const kept = guessKept(left, { target, preset, taken, mayCreate });
  for (const [name, rule] of kept.rules) {
    const field = typeof rule === "string" ? rule : rule.field;
    guesses.set(name, { field, by: preset === undefined ? "words" : "preset" });
    rules.set(name, rule);
  }
  const inOrder = columns.flatMap(({ name }) => {
    const rule = rules.get(name);
    return rule === undefined ? [] : [[name, rule] as const];
  });
  const skipIf = columns.flatMap(({ name }) =>
    Object.entries(preset?.skipIf ?? {}).flatMap(([header, values]): [string, string[]][] =>
      plainHeader(header) === plainHeader(name) ? [[name, [...values]]] : [],
    ),
  );
  const mapping: ImportMapping = {
    columns: Object.fromEntries(inOrder),
    ...(Object.keys(kept.set).length > 0 ? { set: kept.set } : {}),
    ...(Object.keys(kept.fields).length > 0 ? { fields: kept.fields } : {}),
    ...(preset?.skipRows ? { skip_rows: preset.skipRows } : {}),
    ...(skipIf.length > 0 ? { skip_if: Object.fromEntries(skipIf) } : {}),
  };
  const found = preset === undefined ? null : { name: preset.name, because: detected?.because ?? [] };
  return { mapping, preset: found, guesses };
}

const OWNER = "owner_id";

/** `First Name` is first_name; `id` is the lead's id only if its cells are ids of leads. */
function fieldByName({ name, samples }: ColumnProfile, target: ImportTarget): string | undefined {
  const field = name.toLowerCase().replace(/[\s-]+/g, "_");
  if (field === OWNER) return undefined;
  if (field !== "id") return [field, ...behind(name)].find((each) => target.fields.has(each));
  return samples.length > 0 && samples.every((sample) => isId("lead", sample)) ? "id" : undefined;
}

/** The name of a field behind its label, as exports have it where labels are alike. */
const behind = (header: string): string[] => /\(([^()]+)\)$/.exec(header)?.slice(1) ?? [];

type Rule = ImportMapping["columns"][string];

function ruleOf(
  column: ColumnProfile,
  field: string,
  target: ImportTarget,
  preset: Preset | undefined,
): Rule | undefined {
  if (field === "status" && preset !== undefined) return statusRule(column, target);
  const prefix = preset?.prefixOf?.[field] ?? prefixOf(column, preset);
  return prefix === undefined ? field : { field, prefix };
}

/** Whether a column is named after a field; one of statuses, whose words other programs have for opt-outs, also by its values. */
function isNamed(column: ColumnProfile, target: ImportTarget): boolean {
  const field = fieldByName(column, target);
  return field === "status" ? statusRule(column, target) === "status" : field !== undefined;
}

/** Another program's statuses are imported as statuses only if all have the same names, else as lifecycle stage. */
function statusRule({ values }: ColumnProfile, { statuses }: ImportTarget): Rule {
  const known = new Set(statuses.map((status) => status.toLowerCase()));
  return values?.every((value) => known.has(value.toLowerCase())) ? "status" : "lifecycle_stage";
}
