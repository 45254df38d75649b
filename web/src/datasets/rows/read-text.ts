import type { Column } from "../../../../src/contract/datasets/dataset.ts";
import type { Locale } from "../../words/use-words.ts";
import { momentIn } from "../../words/zone-time.ts";

/** The result of reading a typed or pasted text: a value for the API, or an error. */
export type Reading = { value: unknown } | { code: string; message: string };

const YES = new Set(["true", "yes", "y", "1", "sim", "s", "verdadeiro"]);
const NO = new Set(["false", "no", "n", "0", "não", "nao", "falso"]);
const OFFSET = /(Z|[+-]\d\d:?\d\d)$/i;

const fault = (code: string, message: string): Reading => ({ code, message });

/** How texts are read: the language decides between 1,234 and 1.234, 3/4 and 4/3. */
export interface Reader {
  locale: Locale;
  timezone: string;
}

/** Reads a pasted text for a column, as spreadsheets in the user's language write it. */
export function readText(
  { type, options }: Pick<Column, "type" | "options">,
  given: string,
  how: Reader,
): Reading {
  const text = given.trim();
  if (text === "") return { value: null };
  switch (type) {
    case "number":
    case "integer": {
      const number = numberOf(text, how.locale);
      return number === undefined ? fault("not_a_number", "must be a number") : { value: number };
    }
    case "boolean": {
      const word = text.toLowerCase();
      if (YES.has(word)) return { value: true };
      return NO.has(word) ? { value: false } : fault("not_a_boolean", "must be yes or no");
    }
    case "date":
      return { value: dayOf(text, how.locale) ?? text };
    case "datetime": {
      const clock = clockOf(text, how.locale);
      return { value: OFFSET.test(text) || clock === undefined ? text : momentIn(how.timezone, clock) };
    }
    case "enum":
      return { value: options.find((option) => option.toLowerCase() === text.toLowerCase()) ?? text };
    case "json":
      try {
        return { value: JSON.parse(text) as unknown };
      } catch {
        return fault("not_json", "must be valid JSON");
      }
    default:
      return { value: given.replace(/\r\n?/g, "\n") };
  }
}

function numberOf(text: string, locale: Locale): number | undefined {
  const plain = text.replace(/[\s\u00a0\u202f]/g, "");
  const [group, decimal] = locale === "pt-BR" ? [".", ","] : [",", "."];
  const grouped = new RegExp(`^-?\\d{1,3}(\\${group}\\d{3})+(\\${decimal}\\d+)?$`).test(plain);
  const bare = grouped ? plain.replaceAll(group, "") : plain;
  const number = bare.replace(decimal, ".");
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(number) && Number.isFinite(Number(number))
    ? Number(number)
    : undefined;
}

/** Returns `2026-03-31` for that, 31/03/2026 or 3/31/2026; undefined for other texts. */
function dayOf(text: string, locale: Locale): string | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const [, first = "", second = "", year = ""] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(text) ?? [];
  if (year === "") return undefined;
  const [day, month] = locale === "pt-BR" ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function clockOf(text: string, locale: Locale): string | undefined {
  const [day = "", time = "00:00"] = text.split(/[ T,]+/);
  const date = dayOf(day, locale);
  const clock = `${date}T${time.padStart(5, "0")}`;
  return date !== undefined &&
    /^\d\d:\d\d(:\d\d)?$/.test(time.padStart(5, "0")) &&
    Number.isFinite(Date.parse(`${clock}Z`))
    ? clock
    : undefined;
}

/** Reads a spreadsheet's clipboard text: lines of tab-separated cells, quoted if they contain tabs or breaks. */
export function readTable(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /"((?:[^"]|"")*)"(?=\t|\r?\n|\r|$)|([^\t\r\n]*)/y;
  for (let at = 0; at <= text.length; ) {
    cell.lastIndex = at;
    const [whole = "", quoted, plain = ""] = cell.exec(text) ?? [];
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    const end = text[at];
    if (end === "\t") at += 1;
    else {
      lines.push(line);
      line = [];
      if (end === undefined) break;
      at += end === "\r" && text[at + 1] === "\n" ? 2 : 1;
      if (at >= text.length) break;
    }
  }
  return lines;
}
