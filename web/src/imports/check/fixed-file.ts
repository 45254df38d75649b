import type { Import, ImportColumn } from "../../../../src/contract/imports/import.ts";
import type { ColumnRule, ImportMapping } from "../../../../src/contract/imports/import-mapping.ts";
import { sureStyle } from "../../../../src/contract/lists/files.ts";
import type { UploadOptions } from "../file/upload.ts";
import type { Fixes } from "./fixes.ts";

/** Returns the corrected rows as a file. JSON becomes NDJSON: importing a CSV would strip leading apostrophes. */
export function fixedFile({ file, columns }: Import, fixes: Fixes): File {
  const header = columns.map(({ name }) => name);
  const rows = Object.entries(fixes)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, cells]) => cells);
  const plain = file.name.replace(/\.\w{1,6}$/, "");
  if (isJson(file)) {
    const lines = rows.map((cells) =>
      JSON.stringify(
        Object.fromEntries(header.flatMap((name, i) => (cells[i] ? [[name, cells[i]] as const] : []))),
      ),
    );
    return new File([`${lines.join("\n")}\n`], `${plain} (fixed).ndjson`);
  }
  const text = [header, ...rows].map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
  return new File([`\ufeff${text}`], `${plain} (fixed).csv`);
}

const isJson = ({ format }: Import["file"]): boolean => format === "ndjson" || format === "json";

/** Quotes every cell, so that blank rows are kept and no cell is split. */
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** Returns the upload options for the corrected file. */
export const fixedOptions = ({ file, dataset }: Import): UploadOptions => ({
  ...(isJson(file) ? { format: "ndjson" } : { format: "csv", delimiter: ",", header_row: 1, footer: false }),
  ...(dataset === null ? { preset: "none" } : { dataset: dataset.id }),
});

/**
 * Returns the mapping with the date and number formats detected in the whole file, because a few rows may not show them.
 * `present` are the columns of the corrected file; NDJSON has only those with values.
 */
export function settled(
  { skip_if: _, identify, ...mapping }: ImportMapping,
  columns: readonly ImportColumn[],
  present: readonly string[],
): ImportMapping {
  const said = new Set(columns.flatMap(({ decimals }) => sureStyle(decimals) ?? []));
  const common = said.size === 1 ? [...said][0] : undefined;
  const entries = Object.entries(mapping.columns).flatMap(([name, given]) => {
    if (!present.includes(name)) return [];
    const column = columns.find((each) => each.name === name);
    const { calling_code: code, ...rule }: ColumnRule = typeof given === "string" ? { field: given } : given;
    const dates = rule.dates ?? mapping.dates ?? sureStyle(column?.dates);
    const decimals = rule.decimals ?? mapping.decimals ?? sureStyle(column?.decimals) ?? common;
    const more = { ...(dates && { dates }), ...(decimals && { decimals }) };
    return [
      [name, { ...rule, ...(code && present.includes(code) && { calling_code: code }), ...more }] as const,
    ];
  });
  const absent = columns.filter(({ name }) => !present.includes(name));
  const set = Object.entries(mapping.set ?? {}).flatMap(([field, text]) => {
    const left = absent.reduce((rest, { name }) => rest.replaceAll(`{${name}}`, ""), text);
    return left !== text && left.trim() === "" ? [] : [[field, left] as const];
  });
  const identifying = identify?.filter((name) => present.includes(name)) ?? [];
  return {
    ...mapping,
    ...(identifying.length > 0 && { identify: identifying }),
    columns: Object.fromEntries(entries),
    ...(mapping.set === undefined ? {} : { set: Object.fromEntries(set) }),
  };
}

/** Whether corrected rows can be imported separately: not with rules that use row numbers, which would start again. */
export const mayFix = ({ mapping }: Import): boolean =>
  mapping !== null && mapping.calendar === undefined && !JSON.stringify(mapping).includes("{record}");
