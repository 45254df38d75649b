import type { ColumnRule, ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { Decimals } from "../../../contract/lists/files.ts";
import { sureStyle } from "../../../contract/lists/files.ts";
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
  const declared: ColumnRule = typeof rule === "object" ? rule : { field: "" };
  const [dates, decimals] = [sureStyle(profile?.dates), sureStyle(profile?.decimals)];
  return {
    dates: declared.dates ?? mapping.dates ?? dates ?? "dmy",
    decimals: declared.decimals ?? mapping.decimals ?? decimals ?? fileDecimals(profiles) ?? "point",
    timezone: declared.timezone ?? timezone,
  };
}

/** The decimal separator that all unambiguous columns agree on. */
export function fileDecimals(profiles: readonly ColumnProfile[]): Decimals | undefined {
  const said = new Set(
    profiles.flatMap(({ decimals }) => sureStyle(decimals) ?? (decimals === "mixed" ? "mixed" : [])),
  );
  const [only] = said;
  return said.size === 1 && only !== "mixed" ? only : undefined;
}
