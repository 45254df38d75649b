import type { FileRecord, ShownRow } from "../shape/import-file.ts";
import { EMAIL, isBlank, isData, isDate, shownRow } from "./cell-looks.ts";
import { isRemark } from "./footer-words.ts";

/** So many records at the start of a file are searched for its header. */
export const SEARCHED = 50;
/** A row that is nearly as good as the header is looked for only among the first ones. */
const NEARBY = 10;
export const MOST_SHOWN = 5;
const MOST_CELLS = 100;
/** The rows below that a header is compared with. */
const BELOW = 20;

/** What is known of a filled row at the start of a file. */
interface Row {
  record: FileRecord;
  /** The cells without white space around them. */
  cells: readonly string[];
  filled: number;
  distinct: number;
  /** How many distinct names of columns it has. */
  known: number;
  /** How many cells are data, such as numbers. */
  data: number;
  hasEmail: boolean;
  /** Whether a blank record is above it. */
  gap: boolean;
}

/** What the search for a header may assume. */
export interface HeaderSearch {
  /** Whether a cell is a known name of a column. */
  isKnown(cell: string): boolean;
  /** Whether it is a sheet, whose merged cells repeat their text. */
  sheet?: boolean;
}

/** The header among the first records; if it is in doubt, the rows that may be it, the likeliest first. */
export interface FoundHeader {
  at: number;
  doubts: ShownRow[];
}

/**
 * Finds the header among the first records of a file, of which the first is filled: the first one, unless there is
 * evidence that it and the rows below it are titles.
 */
export function findHeader(records: readonly FileRecord[], search: HeaderSearch): FoundHeader {
  const rows = rowsOf(records, search);
  const fitting = rows.map((_, i) => i).filter((i) => i > 0 && fits(rows, i));
  const score = (i: number) => scoreOf(rows, i);
  const best = fitting
    .filter((i) => hasEvidence(rows, i))
    .reduce<number | undefined>((a, b) => (a !== undefined && score(a) >= score(b) ? a : b), undefined);
  const chosen = best ?? 0;
  const others = new Set([
    ...fitting.filter((i) => i < NEARBY || best !== undefined),
    ...(best === undefined ? namesIn(rows) : rows.slice(0, best).map((_, i) => i)),
  ]);
  others.delete(chosen);
  const ranked = [...others].sort((a, b) => score(b) - score(a));
  const shown = [chosen, ...ranked].slice(0, MOST_SHOWN).flatMap((i) => rows[i]?.record ?? []);
  const header = rows[search.sheet ? lastAlike(rows, chosen) : chosen];
  return {
    at: header === undefined ? 0 : records.indexOf(header.record),
    doubts: best === undefined && others.size === 0 ? [] : shown.map(shownRow),
  };
}

function rowsOf(records: readonly FileRecord[], { isKnown }: HeaderSearch): Row[] {
  return records.flatMap((record, i): Row[] => {
    const cells = record.cells.slice(0, MOST_CELLS).map((cell) => cell.trim());
    const texts = cells.filter((cell) => cell !== "");
    if (texts.length === 0) return [];
    const distinct = [...new Set(texts)];
    const above = records[i - 1];
    return [
      {
        ...{ record, cells, filled: texts.length, distinct: distinct.length },
        known: distinct.filter((text) => text.length <= MOST_CELLS && isKnown(text)).length,
        data: texts.filter(isData).length,
        hasEmail: texts.some((text) => EMAIL.test(text)),
        gap: above !== undefined && isBlank(above),
      },
    ];
  });
}

const below = (rows: readonly Row[], at: number): readonly Row[] => rows.slice(at + 1, at + 1 + BELOW);

/** The median number of filled cells of the rows below. */
function widthBelow(rows: readonly Row[], at: number): number {
  const widths = below(rows, at)
    .map(({ filled }) => filled)
    .sort((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)] ?? 0;
}

/** Whether a row may be the header: it has names for the columns below, and all rows above may be titles. */
function fits(rows: readonly Row[], at: number): boolean {
  const row = rows[at];
  if (row === undefined || row.filled < 2 || row.data * 3 > row.known || isProse(row)) return false;
  if (row.distinct * 5 < row.filled * 4 || row.filled * 2 < widthBelow(rows, at)) return false;
  return rows.slice(0, at).every((above) => isTitle(above, row));
}

/** Whether a row is a sentence that was cut at its commas. */
function isProse({ record, known }: Row): boolean {
  const next = record.cells.slice(1);
  return known === 0 && next.length > 0 && next.every((cell) => cell.startsWith(" "));
}

/** A label at the start of a title: `Date range:`, `Filter: open`. */
const LABEL = /^\p{L}[\p{L} ]{0,30}:(?:\s|$)/u;

/** Whether a row may be a title above a header: it is narrower, or it repeats or lacks the names that the header has. */
function isTitle(row: Row, header: Row): boolean {
  const first = row.cells.find((cell) => cell !== "") ?? "";
  // A lone date can be a title, but no other data.
  if (row.hasEmail || (row.data === row.filled && !row.cells.every((cell) => cell === "" || isDate(cell))))
    return false;
  if (row.filled * 2 <= header.filled || row.cells.length * 2 <= header.cells.length) return true;
  if (LABEL.test(first) || isRemark(first)) return true;
  const more = header.known - row.known;
  const isGroup = row.distinct < row.filled && row.distinct < header.distinct;
  if (isGroup && (more > 0 || (row.known === 0 && row.filled >= 4 && row.distinct * 2 <= row.filled)))
    return true;
  if (row.data === 0 && row.filled < header.filled && more >= 2) return true;
  return row.data === 0 && row.known === 0 && header.known >= 3 && header.known * 2 >= header.filled;
}

/** Whether a row has more names of columns than all rows above, or texts above data, or only titles and a gap above. */
function hasEvidence(rows: readonly Row[], at: number): boolean {
  const [row, above, under] = [rows[at], rows.slice(0, at), below(rows, at)];
  if (row === undefined) return false;
  const known = Math.max(...above.map((each) => each.known));
  if (row.known > known && (row.known >= 2 || row.known * 2 >= row.filled)) return true;
  const even = under.filter(({ cells }) => cells.length === row.cells.length).length;
  if (row.filled < 3 || under.length === 0 || even * 5 < under.length * 4) return false;
  const isSingle = above.every(({ filled }) => filled === 1);
  const isRagged = isSingle && above.every(({ cells }) => cells.length === 1);
  if (contrastOf(rows, at) > 0 && (known === 0 || isRagged)) return true;
  const gap = rows.slice(1, at + 1).some((each) => each.gap);
  return known === 0 && isSingle && gap && row.filled * 5 >= widthBelow(rows, at) * 4;
}

/** In how many columns a row has a text, but the rows below it have data. */
function contrastOf(rows: readonly Row[], at: number): number {
  const under = below(rows, at);
  return (rows[at]?.cells ?? []).filter((cell, column) => {
    if (cell === "" || isData(cell)) return false;
    const filled = under.map(({ cells }) => cells[column] ?? "").filter((text) => text !== "");
    return filled.length > 0 && filled.filter(isData).length * 2 >= filled.length;
  }).length;
}

function scoreOf(rows: readonly Row[], at: number): number {
  const { known = 0, filled = 0 } = rows[at] ?? {};
  return known * 2 + contrastOf(rows, at) + filled / Math.max(filled, widthBelow(rows, at), 1);
}

/** Rows near the first one that have nearly as many names of columns. */
function namesIn(rows: readonly Row[]): number[] {
  const [first] = rows;
  return rows.slice(0, NEARBY).flatMap((row, i) => {
    const isNamed = row.known >= 2 && row.known * 2 >= row.filled && row.data === 0;
    return i > 0 && isNamed && row.known + 1 >= (first?.known ?? 0) && !isAlike(row, first) ? [i] : [];
  });
}

const isAlike = (row: Row | undefined, other: Row | undefined): boolean =>
  row?.cells.length === other?.cells.length && !!row?.cells.every((cell, i) => cell === other?.cells[i]);

/** Cells that are merged over two rows of a header make them alike; the last one is next to the data. */
function lastAlike(rows: readonly Row[], at: number): number {
  let last = at;
  while (
    (rows[last]?.filled ?? 0) > 1 &&
    rows[last + 1]?.gap === false &&
    isAlike(rows[last + 1], rows[last])
  )
    last += 1;
  return last;
}
