import type { ColumnRule } from "../../../contract/imports/import-mapping.ts";
import { SHARED_FIELDS } from "../../../contract/lists/opt-outs.ts";
import type { ColumnGuess, ColumnProfile } from "../file/column-profile.ts";
import { byLooks, mayHold } from "./by-looks.ts";
import { claimsFor } from "./claims.ts";
import { type Draft, draftOf } from "./draft.ts";
import { guessKept } from "./guess-kept.ts";
import { ruleOf } from "./guessed-rule.ts";
import { plainHeader } from "./header-words.ts";
import type { ImportTarget } from "./import-target.ts";
import type { Preset } from "./preset-list.ts";

/** The guess of each column's field. */
export type Guesses = Map<string, ColumnGuess>;

/** Columns that all seem to be one field, the one that fills it first. */
export interface Contest {
  field: string;
  columns: readonly ColumnProfile[];
}

/** A guessed mapping. */
export interface Guess {
  draft: Draft;
  guesses: Guesses;
  contests: Contest[];
}

/** Main e-mails and phones, and the lists of further ones. */
export const FURTHER: Readonly<Record<string, "emails" | "phones">> = { email: "emails", phone: "phones" };

type By = ColumnGuess["by"];

/**
 * Guesses a mapping from headers and cells; unknown columns are left out. New custom fields are proposed only to a
 * caller who may create them.
 */
export function guessMapping(
  columns: readonly ColumnProfile[],
  target: ImportTarget,
  { preset, mayCreate }: { preset: Preset | undefined; mayCreate: boolean },
): Guess {
  const draft = draftOf({ columns: {} });
  const guesses: Guesses = new Map();
  const claims = new Map<string, { column: ColumnProfile; by: By }[]>();
  const taken = new Set<string>();
  const take = (column: ColumnProfile, rule: ColumnRule, by: By) => {
    taken.add(rule.field);
    guesses.set(column.name, { field: rule.field, by });
    draft.rules.set(column.name, rule);
  };
  const ways = claimsFor(columns, target, { preset, mayCreate });
  // Columns with content go first: some programs always write all of their columns.
  for (const isFilled of [true, false])
    for (const [by, claim] of ways)
      for (const column of columns.filter(({ filled }) => filled > 0 === isFilled)) {
        const wanted = claim(column);
        const rule = typeof wanted === "string" ? ruleOf(column, wanted, preset) : wanted;
        if (rule === undefined || draft.rules.has(column.name)) continue;
        const { field } = rule;
        if (field !== "id" && !target.fields.has(field)) continue;
        if (by === "words" && (field === "emails" || field === "phones") && !mayHold(column, field)) continue;
        const isShared = SHARED_FIELDS.has(field);
        if (!isShared) claims.set(field, [...(claims.get(field) ?? []), { column, by }]);
        if (isShared || !taken.has(field)) take(column, rule, by);
      }
  const contests: Contest[] = [];
  for (const [field, [first, ...others]] of claims) {
    const left = new Map(
      others.flatMap((each) =>
        each.column.filled > 0 && !draft.rules.has(each.column.name) ? [[each.column, each.by] as const] : [],
      ),
    );
    if (first === undefined || left.size === 0) continue;
    const list = FURTHER[field];
    if (list === undefined) {
      if (first.by !== "preset") contests.push({ field, columns: [first.column, ...left.keys()] });
      continue;
    }
    for (const [column, by] of left)
      if (mayHold(column, list)) take(column, ruleOf(column, list, preset), by);
  }
  for (const field of ["email", "phone"] as const) {
    if (taken.has(field) || taken.has(FURTHER[field] ?? "")) continue;
    const column = byLooks(
      columns.filter(({ name }) => !draft.rules.has(name)),
      field,
    );
    if (column !== undefined) take(column, { field }, "words");
  }
  keepOthers(columns, target, { preset, mayCreate, taken }, { draft, guesses });
  if (preset?.skipRows !== undefined) draft.rest.skip_rows = preset.skipRows;
  for (const { name } of columns)
    for (const [header, values] of Object.entries(preset?.skipIf ?? {}))
      if (plainHeader(header) === plainHeader(name)) draft.skipIf[name] = [...values];
  return { draft, guesses, contests };
}

/** Keeps what no standard field has in custom fields, and the leads' owners. */
function keepOthers(
  columns: readonly ColumnProfile[],
  target: ImportTarget,
  how: { preset: Preset | undefined; mayCreate: boolean; taken: Set<string> },
  { draft, guesses }: Pick<Guess, "draft" | "guesses">,
): void {
  const left = columns.filter(({ name }) => !draft.rules.has(name));
  const kept = guessKept(left, { target, ...how });
  for (const [name, rule] of kept.rules) {
    const whole = typeof rule === "string" ? { field: rule } : rule;
    guesses.set(name, { field: whole.field, by: how.preset === undefined ? "words" : "preset" });
    draft.rules.set(name, whole);
  }
  Object.assign(draft.set, kept.set);
  Object.assign(draft.fields, kept.fields);
}
