import { DELIMITERS } from "../../../../contract/lists/files.ts";
import { type FileChoices, type FileRecord, MOST_CHARACTERS } from "../shape/import-file.ts";
import { delimiterOf, detectDelimiter, endOfHeader, linesIn } from "./detect-delimiter.ts";
import { findHeader, SEARCHED } from "./find-header.ts";

const BLANK = "(?:[^\\S\\r\\n]*(?:\\r\\n|\\n|\\r))*";
/** What may precede the header: empty lines, and a line such as `sep=;`. */
const ABOVE = new RegExp(
  `^${BLANK}(?:[^\\S\\r\\n]*"?sep=(.)"?[^\\S\\r\\n]*(?:\\r\\n|\\n|\\r)${BLANK})?`,
  "i",
);

const headerIn = (start: string): string => start.replace(ABOVE, "");

/** So many characters show the delimiter, if they have a whole line. */
const LOOKED_AT = 65_536;

/** Reads the start of a text: some lines, and at least one whole line that is not blank, however long. */
export async function startOf(text: AsyncGenerator<string>): Promise<string> {
  let start = "";
  for (let enough = LOOKED_AT; start.length < MOST_CHARACTERS; enough = 2 * start.length) {
    while (start.length < enough) {
      const next = await text.next();
      if (next.done === true) return start;
      start += next.value;
    }
    if (endOfHeader(headerIn(start)) >= 0) break;
  }
  return start;
}

/** Returns the delimiter of a text: from Excel's note, else from its first lines or the line of the given header. */
export function delimiterIn(
  start: string,
  { header, header_row: row }: Pick<FileChoices, "header" | "header_row">,
  isKnown: (cell: string) => boolean,
): string {
  const noted = ABOVE.exec(start)?.[1];
  const known = DELIMITERS.find((each) => each === noted);
  if (known !== undefined) return known;
  if (row !== undefined) return detectDelimiter(linesIn(fromLine(start, row), 1)[0] ?? "");
  const lines = linesIn(headerIn(start), SEARCHED);
  if (header === false) return detectDelimiter(lines[0]?.trimStart() ?? "");
  return delimiterOf(lines, (rows) => {
    const records = rows.map((cells, i) => ({ line: i + 1, cells: [...cells] }));
    return findHeader(records, { isKnown }).at > 0;
  });
}

function fromLine(text: string, line: number): string {
  const breaks = text.matchAll(/\r\n|\n|\r/g).take(line - 1);
  const last = line > 1 ? [...breaks].at(-1) : undefined;
  return last === undefined ? text : text.slice(last.index + last[0].length);
}

/** Whether a record starts a table: it is not blank and not Excel's delimiter note (`sep=;`). */
export const isStart = ({ cells }: FileRecord, delimiter: string): boolean =>
  cells.some((cell) => cell.trim() !== "") && cells.join(delimiter).toLowerCase() !== `sep=${delimiter}`;
