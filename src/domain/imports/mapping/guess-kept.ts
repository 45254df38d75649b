import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import { MOST_FIELDS } from "../../custom-fields/create-field.ts";
import { ownerNamed } from "../../fields/owners.ts";
import { CUSTOM, isCustom } from "../../values/value.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import type { Draft } from "./draft.ts";
import { plainHeader } from "./header-words.ts";
import type { ImportTarget } from "./import-target.ts";
import type { Preset } from "./preset-list.ts";

type Rule = ImportMapping["columns"][string];

/** What keeps columns that no standard field has: rules by header, texts for every row, and new custom fields. */
interface Kept {
  rules: Map<string, Rule>;
  set: Record<string, string>;
  fields: NonNullable<ImportMapping["fields"]>;
}

interface Guessing {
  target: ImportTarget;
  preset: Preset | undefined;
  /** The fields that other columns fill; grows. */
  taken: Set<string>;
  mayCreate: boolean;
}

/** A custom field holds no longer text, so a column with one would make its row fail. */
const LONGEST = 500;

/** Owners of leads, in the form of `plainHeader`, whatever program wrote the file. */
const OWNERS = ["owner id", "owner", "lead owner", "contact owner", "responsavel", "dono do lead"];

/** Guesses what keeps the columns that fill no standard field: custom fields, and the leads' owners. */
export function guessKept(columns: readonly ColumnProfile[], guessing: Guessing): Kept {
  const { preset } = guessing;
  const kept: Kept = { rules: new Map(), set: {}, fields: {} };
  const own = new Map(Object.entries(preset?.custom ?? {}).map(([name, key]) => [plainHeader(name), key]));
  const owners = new Set([...(preset?.owner ?? []).map(plainHeader), ...OWNERS]);
  for (const column of columns) {
    if (column.filled === 0) continue;
    if (owners.has(plainHeader(column.name))) guessOwner(column, guessing, kept);
    if (kept.rules.has(column.name)) continue;
    const isNamedOwner = preset?.owner?.some((name) => plainHeader(name) === plainHeader(column.name));
    const key =
      own.get(plainHeader(column.name)) ?? (isNamedOwner ? keyOf(column.name) : endingKey(column, preset));
    const field = key === undefined ? undefined : fieldFor(column, key, guessing, kept);
    if (field === undefined) continue;
    const prefix = prefixOf(column, preset);
    kept.rules.set(column.name, prefix === undefined ? field : { field, prefix });
  }
  return kept;
}

/**
 * Maps a column of owners if its cells name members of the project. If some do not, they are kept in a custom field;
 * if nothing can keep them, the column is not mapped.
 */
function guessOwner(column: ColumnProfile, guessing: Guessing, kept: Kept): void {
  const { target, taken } = guessing;
  const field = "owner_id";
  const shown = column.values ?? column.samples;
  const known = shown.filter((text) => ownerNamed(target.owners, text) !== undefined);
  if (taken.has(field) || known.length === 0) return;
  if (known.length === column.values?.length) kept.rules.set(column.name, field);
  else {
    // A template cannot name a column with braces.
    const own = /[{}]/.test(column.name) ? undefined : fieldFor(column, keyOf(column.name), guessing, kept);
    if (own === undefined) return;
    kept.set[own] = `{${column.name}}`;
    kept.rules.set(column.name, { field, unknown: "blank" });
  }
  taken.add(field);
}

/** Returns the custom field that keeps a column: one of the project, or a new one if the caller may create it. */
function fieldFor(
  { name, longest = 0 }: ColumnProfile,
  key: string,
  { target, taken, mayCreate }: Guessing,
  { fields }: Kept,
): string | undefined {
  const field = CUSTOM + key;
  const type = target.fields.get(field)?.type;
  if (taken.has(field) || longest > LONGEST || (type !== undefined && type !== "text")) return undefined;
  if (type === undefined) {
    const count = [...target.fields.keys()].filter(isCustom).length + Object.keys(fields).length;
    if (!mayCreate || count >= MOST_FIELDS) return undefined;
    fields[key] = { label: name.slice(0, 200), type: "text" };
  }
  taken.add(field);
  return field;
}

/** Returns the custom field that could keep a column: one of the project, or a new one if the caller may create it. */
export function customFor(
  { name, longest = 0 }: ColumnProfile,
  { draft, target, mayCreate }: { draft: Draft; target: ImportTarget; mayCreate: boolean },
): { field: string; key: string; isNew: boolean } | undefined {
  const key = keyOf(name);
  const field = CUSTOM + key;
  const type = target.fields.get(field)?.type;
  const isTaken = [...draft.rules.values()].some((rule) => rule.field === field) || field in draft.set;
  if (isTaken || longest > LONGEST || (type !== undefined && type !== "text")) return undefined;
  const isNew = type === undefined && !Object.hasOwn(draft.fields, key);
  const count = [...target.fields.keys()].filter(isCustom).length + Object.keys(draft.fields).length;
  return isNew && (!mayCreate || count >= MOST_FIELDS) ? undefined : { field, key, isNew };
}

const endingKey = ({ name }: ColumnProfile, preset: Preset | undefined): string | undefined =>
  preset?.customEnding !== undefined && name.toLowerCase().endsWith(preset.customEnding)
    ? keyOf(name.slice(0, -preset.customEnding.length))
    : undefined;

/** Returns the key of a custom field for a header: `Contact owner` is `contact_owner`. */
function keyOf(name: string): string {
  const words = plainHeader(name)
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return (/^[a-z]/.test(words) ? words : `field_${words}`).slice(0, 60);
}

/** The prefix that all samples of a column have, of those that the program writes. */
export const prefixOf = (
  { samples }: Pick<ColumnProfile, "samples">,
  preset: Preset | undefined,
): string | undefined =>
  preset?.prefixes?.find((each) => samples.length > 0 && samples.every((sample) => sample.startsWith(each)));
