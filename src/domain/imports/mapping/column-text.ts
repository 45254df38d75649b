import type { ColumnRule } from "../../../contract/imports/import-mapping.ts";
import { withoutEscape } from "../../values/file-reader.ts";
import type { Template } from "./template.ts";

/** Returns the text of a column's cell as its rule changes it; `codeColumn` has the calling codes of phones. */
export function columnText(
  index: number,
  codeColumn: number | undefined,
  { values = {}, prefix = "", filled }: ColumnRule,
  isCsv: boolean,
): Template {
  const meanings = new Map(Object.entries(values));
  const own = (cell = "") => (isCsv ? withoutEscape(cell.trim()) : cell.trim());
  const meant = (cell: string | undefined) => {
    const text = unprefixed(prefix, own(cell));
    return meanings.get(text) ?? text;
  };
  const ownText =
    filled === undefined ? meant : (cell: string | undefined) => (meant(cell) === "" ? "" : filled);
  return codeColumn === undefined
    ? ({ cells }) => ownText(cells[index])
    : ({ cells }) => withCallingCode(own(cells[codeColumn]), ownText(cells[index]));
}

const unprefixed = (prefix: string, text: string): string =>
  prefix !== "" && text.startsWith(prefix) ? text.slice(prefix.length).trim() : text;

/** A number with the calling code of another cell, unless it has one of its own. */
const withCallingCode = (code: string, number: string): string =>
  number === "" || code === "" || /^\s*(?:\+|00)/.test(number)
    ? number
    : `+${code.replace(/^(?:\+|00)/, "")} ${number}`;
