import type { FileRecord } from "../shape/import-file.ts";

/** The columns that a file of failed rows has after its own; a row's surplus cells follow them. */
export const REASONS = ["_row", "_column", "_code", "_message"] as const;

/** Faults of lines without cells; their text is kept as the only surplus cell. */
export const UNREAD: ReadonlySet<string> = new Set(["not_json", "not_an_object"]);

/** Characters that cannot be stored. A file of failed rows has U+FFFD instead. */
const UNSTORABLE: ReadonlyMap<string, string> = new Map([
  ["nul", "\0"],
  ["lone_surrogate", "\ud83d"],
]);

/** The fault of a row with another number of cells than the header. */
export const raggedFault = (cells: number, width: number): { code: string; message: string } => ({
  code: "column_count",
  message: `has ${cells} cells but the header has ${width}`,
});

/** Returns how many columns a file of failed rows has of its own; undefined if a header is not such a file's. */
export function ownColumns(header: readonly string[]): number | undefined {
  const names = header.map((name) => name.trim());
  // Spreadsheet programs give the header blank cells above the surplus cells.
  while (names.at(-1) === "") names.pop();
  const own = names.length - REASONS.length;
  return own > 0 && REASONS.every((name, i) => names[own + i] === name) ? own : undefined;
}

/** Whether a name starts with an apostrophe that stops a spreadsheet from running a formula. */
export const isEscaped = (name: string): boolean => /^'+[=+@\t\r-]/.test(name);

/** Returns the names of the columns as they were in the file where the rows failed. */
export const formerNames = (cells: readonly string[]): string[] =>
  cells.map((cell) => (isEscaped(cell) ? cell.slice(1) : cell));

/**
 * Returns a row of a file of failed rows as it was in the file where it failed, so that an unchanged row fails again.
 * A row whose fault was corrected keeps no trace of it.
 */
export function withoutReasons({ line, cells, fault }: FileRecord, header: readonly string[]): FileRecord {
  const width = header.length;
  const own = cells.slice(0, width);
  const [, columns = "", code = "", message = ""] = cells.slice(width, width + REASONS.length);
  const surplus = cells.slice(width + REASONS.length);
  if (fault !== undefined) return { line, cells, fault };
  const codes = code.split("; ").map((each) => each.trim());
  if (UNREAD.has(code.trim())) {
    const isSame = own.every(isBlank) && surplus.some((cell) => !isBlank(cell));
    return isSame ? { line, cells: surplus, fault: { code: code.trim(), message } } : { line, cells: own };
  }
  const count = Number(/^has (\d+) cells/.exec(message)?.[1] ?? width);
  if (codes.includes("column_count") && own.slice(count).every(isBlank) && surplus.every(isBlank))
    return { line, cells: own.slice(0, count) };
  return { line, cells: [...restored(own, { header, columns, codes }), ...surplus] };
}

const isBlank = (cell: string): boolean => cell.trim() === "";

/** Puts back the characters that could not be stored, where the reasons name them. */
function restored(
  cells: string[],
  { header, columns, codes }: { header: readonly string[]; columns: string; codes: readonly string[] },
): string[] {
  const character = codes.flatMap((code) => UNSTORABLE.get(code) ?? [])[0];
  if (character === undefined) return cells;
  const named = (i: number) => `; ${columns}; `.includes(`; ${header[i]}; `);
  const isMarked = (cell: string) => cell.includes("\ufffd");
  const some = cells.some((cell, i) => isMarked(cell) && named(i));
  return cells.map((cell, i) => (some && !named(i) ? cell : cell.replaceAll("\ufffd", character)));
}
