import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";

/** Returns the fields that a mapping fills. */
export function filledFields({ columns, set, calendar, events }: ImportMapping): Set<string> {
  const fields = [
    ...Object.values(columns).map((rule) => (typeof rule === "string" ? rule : rule.field)),
    ...Object.keys(set ?? {}),
    calendar?.field,
    ...(events ?? []).map((rule) => rule.first),
  ];
  return new Set(fields.filter((field) => field !== undefined));
}
