import type { Decimals } from "../../contract/lists/files.ts";

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Currency and percent signs around a number: `R$ 1.234,56`, `12 %`, `-€5`. */
const AROUND =
  /^([+-]?)\s*(?:[A-Z]{0,3}\$|€|£|¥|[A-Z]{3}(?=[\s\d]))?\s*([+-]?[\d.,'\s]*\d[.,]?)\s*(?:€|%|[A-Z]{3})?$/;
const GROUPED_BY_COMMA = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/;
const GROUPED_BY_POINT = /^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/;
const COMMA_DECIMALS = /^[+-]?\d*,\d*$/;

/**
 * Returns the decimal separator of a number, or "ambiguous"; undefined if the text is not a number or does not show
 * it.
 */
export function decimalsOf(text: string): Decimals | "ambiguous" | undefined {
  const number = bare(text);
  // Spreadsheets of any country turn phone numbers into 5.5E+12.
  if (number === undefined || !/[.,]/.test(number) || /e/i.test(number)) return undefined;
  const [comma, point] = [number.lastIndexOf(","), number.lastIndexOf(".")];
  if (comma >= 0 && point >= 0) return comma > point ? "comma" : "point";
  const [mark, at] = comma >= 0 ? [",", comma] : [".", point];
  if (number.indexOf(mark) !== at) return mark === "," ? "point" : "comma";
  if (!/^[+-]?\d{1,3}[.,]\d{3}$/.test(number)) return mark === "," ? "comma" : "point";
  // 1,234 can be either. Programs write 1.234 for decimals; people write it for thousands only next to
  // decimal commas.
  return mark === "," ? "ambiguous" : undefined;
}

/** Reads a number with these decimals; undefined if it is not one. */
export function readNumber(text: string, decimals: Decimals): number | undefined {
  if (decimals === "point" && PLAIN.test(text)) return finite(Number(text));
  const number = bare(text);
  if (number === undefined) return undefined;
  if (decimals === "point") {
    if (PLAIN.test(number)) return finite(Number(number));
    return GROUPED_BY_COMMA.test(number) ? finite(Number(number.replaceAll(",", ""))) : undefined;
  }
  if (/^[+-]?\d+$/.test(number)) return finite(Number(number));
  if (GROUPED_BY_POINT.test(number)) return finite(Number(number.replaceAll(".", "").replace(",", ".")));
  if (COMMA_DECIMALS.test(number)) return finite(Number(number.replace(",", ".")));
  return undefined;
}

function bare(text: string): string | undefined {
  const [, sign = "", number] = AROUND.exec(text) ?? [];
  if (number === undefined) return PLAIN.test(text) ? text : undefined;
  return sign + number.replace(/[\s']/g, "");
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
