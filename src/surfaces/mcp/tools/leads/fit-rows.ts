import { bytesOf, fitRecord, RECORD_BYTES } from "../shared/size.ts";

/** The newest rows of a dataset that are linked to a lead, and whether there are more. */
export interface RowsOfLead {
  rows: Record<string, unknown>[];
  has_more: boolean;
}

/**
 * Returns the newest rows that fit into `most` bytes, taken from each dataset in turn so that none uses up
 * the room; `cut` if a row, or a long value in one, is missing.
 */
export function fitRows(
  datasets: Readonly<Record<string, RowsOfLead>>,
  most: number,
): { datasets: Record<string, RowsOfLead>; cut: boolean } {
  const fitted = Object.fromEntries(
    Object.entries(datasets).map(([key, { has_more }]): [string, RowsOfLead] => [
      key,
      { rows: [], has_more },
    ]),
  );
  let room = most - bytesOf(fitted);
  let cut = false;
  const longest = Math.max(0, ...Object.values(datasets).map(({ rows }) => rows.length));
  for (let place = 0; place < longest; place += 1) {
    for (const [key, { rows }] of Object.entries(datasets)) {
      const [row, kept] = [rows[place], fitted[key]];
      // Rows after one that did not fit are skipped: the list must have no gaps.
      if (row === undefined || kept === undefined || kept.rows.length < place) continue;
      const shown = fitRecord(row, RECORD_BYTES);
      const bytes = bytesOf(shown.record) + 1;
      cut ||= shown.cut || bytes > room;
      if (bytes > room) kept.has_more = true;
      else {
        kept.rows.push(shown.record);
        room -= bytes;
      }
    }
  }
  return { datasets: fitted, cut };
}
