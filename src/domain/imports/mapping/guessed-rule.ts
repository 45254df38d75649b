import type { ImportColumn } from "../../../contract/imports/import.ts";
import type { ColumnRule } from "../../../contract/imports/import-mapping.ts";
import { prefixOf } from "./guess-kept.ts";
import { plainHeader } from "./header-words.ts";
import type { Preset } from "./preset-list.ts";

const UTC = /\s*\((?:utc|gmt)\)$/i;

/** A header without the zone that some programs write behind it. */
export const inUtc = (header: string): string => header.replace(UTC, "");

/** The rule for a column that fills a field, with what the program writes into its cells. */
export function ruleOf(column: ImportColumn, field: string, preset: Preset | undefined): ColumnRule {
  const prefix = preset?.prefixOf?.[field] ?? prefixOf(column, preset);
  const code = preset?.callingCode?.[column.name];
  const blank = Object.entries(preset?.blank ?? {}).find(
    ([header]) => plainHeader(header) === plainHeader(column.name),
  )?.[1];
  const isQuoted =
    prefix === undefined && column.samples.length > 0 && column.samples.every((cell) => /^'[\d(]/.test(cell));
  const without = field === "tags" ? preset?.ignoredTags : undefined;
  return {
    field,
    ...(prefix === undefined ? {} : { prefix }),
    ...(isQuoted ? { prefix: "'" } : {}),
    ...(code === undefined ? {} : { calling_code: code }),
    ...(blank === undefined ? {} : { values: Object.fromEntries(blank.map((text) => [text, ""])) }),
    ...(UTC.test(column.name) ? { timezone: "UTC" } : {}),
    ...(field === "country" && column.name !== field ? { codes: true } : {}),
    ...(without === undefined ? {} : { without }),
  };
}
