import { partText } from "./archive-parts.ts";

const MOST_BYTES = 4 * 1_048_576;
const MOST_SHEETS = 200;

/** The sheets, and which of them is read. */
export interface FoundSheets {
  sheets: string[];
  sheet: string | undefined;
}

/** Messages of the thread: the sheets, rows as CSV, or an error; `null` at the end. */
export type SheetMessage = FoundSheets | { csv: string } | { code: string; message: string } | null;

const sheetTags = (file: Buffer): string[] =>
  tagsIn(partText(file, "xl/workbook.xml", MOST_BYTES), "sheet")
    .filter((tag) => attribute(tag, "name") !== undefined)
    .slice(0, MOST_SHEETS);

/** Returns the names of a spreadsheet's sheets in order; empty if they cannot be read. */
export const sheetNames = (file: Buffer): string[] =>
  sheetTags(file).map((tag) => attribute(tag, "name") ?? "");

/** Returns the paths of a spreadsheet's sheets in order; undefined for charts and what cannot be found. */
export function sheetPaths(file: Buffer): (string | undefined)[] {
  const relations = tagsIn(partText(file, "xl/_rels/workbook.xml.rels", MOST_BYTES), "Relationship");
  const paths = new Map(
    relations.flatMap((tag) => {
      const target = attribute(tag, "Target") ?? "";
      const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
      return attribute(tag, "Type")?.endsWith("/worksheet") ? [[attribute(tag, "Id"), path] as const] : [];
    }),
  );
  return sheetTags(file).map((tag) => paths.get(attribute(tag, "\\w+:id")));
}

const tagsIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\s(?:[^>"']|"[^"]*"|'[^']*')*>`, "g"))].map(([tag]) => tag);

function attribute(tag: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? [];
  const text = double ?? single;
  return text === undefined ? undefined : unescaped(text);
}

const MARKS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return MARKS[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
