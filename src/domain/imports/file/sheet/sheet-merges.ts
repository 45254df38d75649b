import { partBytes } from "./archive-parts.ts";

const MOST_MERGES = 10_000;
const MOST_ROWS = 1_000;
const MOST_FILLED = 200_000;
const TAG = "mergeCell ";
const MERGE =
  /<(?:\w+:)?mergeCell\s[^>]*?\bref=["']\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})["']/g;
/** Longer than a tag, so that one at the end of a piece is found with the next piece. */
const TAIL = 200;

/** Merged cells: the indexes of their first and last row and column. */
interface Merge {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** Returns the merged cells of a sheet, given its path in the archive; at most 10,000. */
export async function mergesIn(archive: Buffer, path: string): Promise<Merge[]> {
  const found: Merge[] = [];
  let rest = Buffer.alloc(0);
  for await (const chunk of partBytes(archive, path)) {
    const bytes = Buffer.concat([rest, chunk]);
    rest = Buffer.from(bytes.subarray(-TAIL));
    if (!bytes.includes(TAG)) continue;
    const text = bytes.toString("latin1");
    let end = 0;
    for (const match of text.matchAll(MERGE)) {
      end = match.index + match[0].length;
      found.push(mergeOf(match));
      if (found.length >= MOST_MERGES) return found;
    }
    // What was found must not be found again with the next piece.
    rest = rest.subarray(Math.max(0, end - (bytes.length - rest.length)));
  }
  return found;
}

function mergeOf([, left = "", top = "", right = "", bottom = ""]: RegExpExecArray): Merge {
  return { top: Number(top) - 1, left: columnOf(left), bottom: Number(bottom) - 1, right: columnOf(right) };
}

const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/**
 * Fills merged cells with the value of their first one, within the rows and columns that have cells. Cells merged over
 * more than 1,000 rows stay blank, and so do all after 200,000 filled ones.
 */
export function fillMerged(rows: unknown[][], merges: readonly Merge[]): void {
  let filled = 0;
  for (const { top, left, bottom, right } of merges) {
    const value = rows[top]?.[left] ?? null;
    if (value === null || bottom - top >= MOST_ROWS) continue;
    for (const row of rows.slice(top, bottom + 1)) {
      for (let column = left; column <= right && column < row.length; column += 1) {
        if (row[column] !== null && row[column] !== undefined) continue;
        if (filled >= MOST_FILLED) return;
        row[column] = value;
        filled += 1;
      }
    }
  }
}
