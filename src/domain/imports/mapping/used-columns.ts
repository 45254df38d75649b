import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { ColumnProfile } from "../file/column-profile.ts";

/** Returns the columns that a mapping does not use, with the number of their cells that are not blank. */
export function skippedIn(
  profiles: readonly ColumnProfile[],
  mapping: ImportMapping,
): { name: string; filled: number }[] {
  const used = usedHeaders(mapping);
  return profiles.flatMap(({ name, filled }) => (used.has(name) ? [] : [{ name, filled }]));
}

/** Returns the columns with content that an import would leave out. */
export const lostIn = (profiles: readonly ColumnProfile[], mapping: ImportMapping) =>
  skippedIn(profiles, mapping).filter(({ filled }) => filled > 0);

function usedHeaders(mapping: ImportMapping): Set<string> {
  const templates = [
    ...Object.values(mapping.set ?? {}),
    ...(mapping.events ?? []).flatMap((rule) => [rule.title, rule.key, ...Object.values(rule.data ?? {})]),
  ];
  return new Set([
    ...[
      ...Object.keys(mapping.columns),
      ...Object.keys(mapping.skip_if ?? {}),
      ...Object.keys(mapping.opt_out_if ?? {}),
      ...(mapping.identify ?? []),
    ],
    ...Object.values(mapping.columns).flatMap((rule) =>
      typeof rule === "object" && rule.calling_code !== undefined ? [rule.calling_code] : [],
    ),
    ...(mapping.calendar === undefined ? [] : [mapping.calendar.day, mapping.calendar.month]),
    ...(mapping.events ?? []).flatMap((rule) => rule.times ?? []),
    ...templates.flatMap((text) => [...text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "")),
  ]);
}
