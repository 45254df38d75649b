/** What stands before the decimals of a number. */
export type Decimals = "point" | "comma";

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Currencies and per cent around a number: `R$ 1.234,56`, `12 %`, `-€5`. */
const AROUND =
  /^([+-]?)\s*(?:[A-Z]{0,3}\$|€|£|¥|[A-Z]{3}(?=[\s\d]))?\s*([+-]?[\d.,'\s]*\d[.,]?)\s*(?:€|%|[A-Z]{3})?$/;
const GROUPED_BY_COMMA = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/;
const GROUPED_BY_POINT = /^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/;
const COMMA_DECIMALS = /^[+-]?\d*,\d*$/;

/** What a text says about its decimals; undefined where it is no number or has one reading only by its form. */
export function decimalsOf(text: string): Decimals | "ambiguous" | undefined {
  const number = bare(text);
  // 5.5E+12 is what a spreadsheet makes of a phone number in any country.
  if (number === undefined || !/[.,]/.test(number) || /e/i.test(number)) return undefined;
  const [comma, point] = [number.lastIndexOf(","), number.lastIndexOf(".")];
  if (comma >= 0 && point >= 0) return comma > point ? "comma" : "point";
  const [mark, at] = comma >= 0 ? [",", comma] : [".", point];
  if (number.indexOf(mark) !== at) return mark === "," ? "point" : "comma";
  if (!/^[+-]?\d{1,3}[.,]\d{3}$/.test(number)) return mark === "," ? "comma" : "point";
  // 1,234 is either; 1.234 is what programs write, and a thousand only among numbers with decimal commas.
  return mark === "," ? "ambiguous" : undefined;
}

/** The number as programs write it; undefined where it is none with these decimals. */
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
