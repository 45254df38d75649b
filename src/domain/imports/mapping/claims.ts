import type { ColumnRule } from "../../../contract/imports/import-mapping.ts";
import { CUSTOM, isCustom } from "../../values/value.ts";
import type { ColumnGuess, ColumnProfile } from "../file/column-profile.ts";
import { fieldByName, isNamed } from "./by-name.ts";
import { inUtc } from "./guessed-rule.ts";
import { fieldByWords, nameFields, plainHeader } from "./header-words.ts";
import type { ImportTarget } from "./import-target.ts";
import { optOutRule } from "./opt-outs.ts";
import type { Preset } from "./preset-list.ts";

/** Returns what a column may fill, for one reason. */
type Claim = (column: ColumnProfile) => ColumnRule | string | undefined;

/** What a column may fill, from the surest reason to the least sure. */
export function claimsFor(
  columns: readonly ColumnProfile[],
  target: ImportTarget,
  { preset, mayCreate }: { preset: Preset | undefined; mayCreate: boolean },
): readonly [ColumnGuess["by"], Claim][] {
  const own = new Map(
    Object.entries(preset?.columns ?? {}).map(([name, field]) => [plainHeader(name), field]),
  );
  const names = nameFields(columns.map(({ name }) => name));
  const subscriptions = new Set((preset?.subscriptions ?? []).map(plainHeader));
  const kept = new Set(
    Object.entries(preset?.custom ?? {}).flatMap(([header, key]) =>
      mayCreate || target.fields.has(CUSTOM + key) ? [plainHeader(header)] : [],
    ),
  );
  const labelled = ({ name }: ColumnProfile) => target.labels.get(plainHeader(name));
  return [
    ["preset", ({ name }) => own.get(plainHeader(name))],
    ["words", (column) => (isNamed(column, target) ? undefined : optOutRule(column, subscriptions))],
    ["name", (column) => (names.has(column.name) ? undefined : fieldByName(column, target))],
    ["name", (column) => [labelled(column)].find((field) => field !== undefined && isCustom(field))],
    [
      "words",
      ({ name }) =>
        kept.has(plainHeader(name)) ? undefined : (names.get(name) ?? fieldByWords(inUtc(name))),
    ],
    ["name", labelled],
  ];
}
