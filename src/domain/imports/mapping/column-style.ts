import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { Decimals } from "../../../contract/lists/files.ts";
import { sureStyle } from "../../../contract/lists/files.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { CellStyle } from "../../values/file-reader.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import type { ImportTarget } from "./import-target.ts";

/** The part of a cell style that depends on the column, not on the file or the field. */
export type ColumnStyle = Omit<CellStyle, "escaped" | "entries">;

/**
 * Returns how a column's cells are read: as declared, else as its cells show; decimals also as other columns show.
 */
export function styleOf(
  column: string | undefined,
  profiles: readonly ColumnProfile[],
  mapping: ImportMapping,
  { timezone }: ImportTarget,
): ColumnStyle {
  const profile = profiles.find(({ name }) => name === column);
  const rule =
    column !== undefined && Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;
  const declared = typeof rule === "object" ? rule : { field: "" };
  const [dates, decimals] = [sureStyle(profile?.dates), sureStyle(profile?.decimals)];
  return {
    dates: declared.dates ?? mapping.dates ?? dates ?? "dmy",
    decimals: declared.decimals ?? mapping.decimals ?? decimals ?? fileDecimals(profiles) ?? "point",
    timezone,
  };
}

/** Returns what must be declared before the file can be imported, because cells can be read in two ways. */
export function questionsOf(
  profiles: readonly ColumnProfile[],
  mapping: ImportMapping,
  target: ImportTarget,
): Fault[] {
  return Object.entries(mapping.columns).flatMap(([column, rule]) => {
    const profile = profiles.find(({ name }) => name === column);
    const declared = typeof rule === "object" ? rule : { field: rule };
    const type = target.fields.get(declared.field)?.type;
    const path = `$.columns.${column}`;
    const open = (value: string | null | undefined) => value === "ambiguous" || value === "mixed";
    if ((type === "date" || type === "datetime") && open(profile?.dates)) {
      if (declared.dates ?? mapping.dates) return [];
      const message = `"${column}" has ambiguous dates, such as ${example(profile)}. Set "dates" to "dmy" or "mdy".`;
      return [{ path, code: "ambiguous_dates", message }];
    }
    if ((type === "number" || type === "integer") && open(profile?.decimals)) {
      if (
        declared.decimals ??
        mapping.decimals ??
        (profile?.decimals === "ambiguous" && fileDecimals(profiles))
      )
        return [];
      const message = `"${column}" has ambiguous numbers, such as ${example(profile)}. Set "decimals" to "point" or "comma".`;
      return [{ path, code: "ambiguous_decimals", message }];
    }
    return [];
  });
}

const example = (profile: ColumnProfile | undefined): string => profile?.samples[0] ?? "";

/** The decimal separator that all unambiguous columns agree on. */
function fileDecimals(profiles: readonly ColumnProfile[]): Decimals | undefined {
  const said = new Set(
    profiles.flatMap(({ decimals }) => sureStyle(decimals) ?? (decimals === "mixed" ? "mixed" : [])),
  );
  const [only] = said;
  return said.size === 1 && only !== "mixed" ? only : undefined;
}
