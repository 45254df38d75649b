import { DELIMITERS } from "../../../../contract/lists/files.ts";

/** Returns the most frequent delimiter outside quotes in the header line, by default a comma. */
export const detectDelimiter = (header: string): string => frequentIn(header)[0] ?? ",";

/** The delimiters that are most frequent outside quotes in a line; all of them if it has none. */
function frequentIn(line: string): string[] {
  const counts = new Map<string, number>();
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (!quoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const count = (candidate: string) => counts.get(candidate) ?? 0;
  const most = Math.max(...DELIMITERS.map(count));
  return DELIMITERS.filter((candidate) => count(candidate) === most);
}

const BEFORE_QUOTE: ReadonlySet<string> = new Set(DELIMITERS);

/** The end of the line that starts at an index: the first line break outside quotes, or -1. */
export function endOfHeader(text: string, from = 0): number {
  let quoted = false;
  for (let i = from; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (character === '"') {
      if (!quoted) quoted = i === from || BEFORE_QUOTE.has(text.charAt(i - 1));
      else if (text.charAt(i + 1) === '"') i += 1;
      else quoted = false;
    } else if (!quoted && (character === "\n" || character === "\r")) return i;
  }
  return -1;
}

/** Returns the first lines of a text, divided outside quotes. */
export function linesIn(text: string, most: number): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length && lines.length < most; ) {
    const end = endOfHeader(text, from);
    lines.push(text.slice(from, end < 0 ? text.length : end));
    if (end < 0) break;
    from = end + (text.startsWith("\r\n", end) ? 2 : 1);
  }
  return lines;
}

/** Returns the cells of a line; good enough to compare lines, not to read them. */
function cellsIn(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let quoted = false;
  let from = 0;
  for (let i = 0; i < line.length; i += 1) {
    const character = line.charAt(i);
    if (character === '"') {
      if (!quoted) quoted = i === from;
      else if (line.charAt(i + 1) === '"') i += 1;
      else quoted = false;
    } else if (!quoted && character === delimiter) {
      cells.push(bare(line.slice(from, i)));
      from = i + 1;
    }
  }
  return [...cells, bare(line.slice(from))];
}

const bare = (cell: string): string =>
  cell.length > 1 && cell.startsWith('"') && cell.endsWith('"')
    ? cell.slice(1, -1).replaceAll('""', '"')
    : cell;

/** So many lines are compared. */
const COMPARED = 31;

/**
 * Returns the delimiter of lines: that of the first line, if most of the next ones have it as well. Otherwise the first
 * line may be a title, so it is the one that most lines have equally often, if `passes` finds a header below the title.
 */
export function delimiterOf(
  lines: readonly string[],
  passes: (records: readonly (readonly string[])[]) => boolean,
): string {
  const filled = lines.filter((line) => line.trim() !== "").slice(0, COMPARED);
  const [first = "", ...next] = filled;
  const has = (line: string, delimiter: string) => cellsIn(line, delimiter).length > 1;
  const having = (delimiter: string) => next.filter((line) => has(line, delimiter)).length;
  // Of delimiters that the first line has equally often, the one in most of the next lines.
  const usual = frequentIn(first.trimStart()).reduce((a, b) => (having(b) > having(a) ? b : a));
  if (next.length === 0 || (has(first, usual) && having(usual) * 2 >= next.length)) return usual;
  const ranked = DELIMITERS.map((delimiter) => ({ delimiter, ...commonest(filled, delimiter) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.lines - a.lines || b.count - a.count);
  const found = ranked.find(({ delimiter }) => passes(lines.map((line) => cellsIn(line, delimiter))));
  return found?.delimiter ?? detectDelimiter(first.trimStart());
}

/** How often lines have a delimiter: the commonest count above 0, and how many lines have it. */
function commonest(lines: readonly string[], delimiter: string): { count: number; lines: number } {
  const found = new Map<number, number>();
  for (const line of lines) {
    const count = cellsIn(line, delimiter).length - 1;
    if (count > 0) found.set(count, (found.get(count) ?? 0) + 1);
  }
  const [count = 0, many = 0] = [...found].sort(([a, m], [b, n]) => n - m || b - a)[0] ?? [];
  return { count, lines: many };
}
