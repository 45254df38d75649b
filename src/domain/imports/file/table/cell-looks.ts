import { storable } from "../../../values/value.ts";
import type { FileRecord, ShownRow } from "../shape/import-file.ts";

export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const ADDRESS = /[^\s@]@[^\s@]+\.[^\s@]|https?:\/\/|(?:^|\s)www\./i;
const URL = /^(?:https?:\/\/|www\.)\S+$/i;
const NUMBER = /^[-+(]?\s?(?:[A-Z]{0,3}[$€£¥]|[A-Z]{3}\s)?\s?\d[\d.,'\s]*(?:%|[€£¥$]|[A-Z]{3})?\)?$/;
const GROUPED = /^\d{1,3}(?:[ .,'\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?$/;
const DATES = [
  /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:$|[T\s,])/,
  /^\d{1,2}\.?[ -](?:de )?\p{L}{3,10}\.?,?[ -](?:de )?\d{4}(?:$|[\s,])/u,
  /^\p{L}{3,10}\.? \d{1,2},? \d{4}(?:$|[\s,])/u,
];
const DIALLED = /^'?\+?[\d\s().\-/]{7,}$/;
/** Longer cells are remarks, not values. */
const LONGEST = 100;

/** Whether a cell is a number, an amount or a percentage. */
export const isNumber = (text: string): boolean => text.length <= LONGEST && NUMBER.test(text);

/** Whether a cell starts with a date. */
export const isDate = (text: string): boolean => DATES.some((form) => form.test(text));

/** Whether a cell is written as phone numbers are, and not as numbers or dates are. */
export function isPhone(text: string): boolean {
  if (text.length > LONGEST || !DIALLED.test(text) || GROUPED.test(text) || isDate(text)) return false;
  const digits = text.replace(/\D/g, "").length;
  return digits <= 15 && (digits >= 10 || (digits >= 7 && /[+(\s/-]/.test(text)));
}

/** Whether a text contains an e-mail address or a URL. */
export const hasAddress = (text: string): boolean => ADDRESS.test(text);

/** Whether a cell is an e-mail address, a URL, a number, a date or a phone number, as headers are not. */
export const isData = (text: string): boolean =>
  text.length <= LONGEST &&
  (EMAIL.test(text) || URL.test(text) || NUMBER.test(text) || isDate(text) || isPhone(text));

/** Whether all cells of a record are blank. */
export const isBlank = ({ cells }: Pick<FileRecord, "cells">): boolean =>
  cells.every((cell) => cell.trim() === "");

/** Returns a record as it is shown to people: its first twelve cells, shortened. */
export const shownRow = ({ line, cells }: FileRecord): ShownRow => ({
  line,
  cells: cells.slice(0, 12).map((cell) => storable(cell.trim().slice(0, 60))),
});
