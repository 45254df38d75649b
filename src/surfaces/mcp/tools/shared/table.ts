import { outside } from "./outside-text.ts";
import { bytesOf } from "./size.ts";

/** A list of records with the names of the fields once: a quarter of the size of a list of objects. */
export interface Table {
  columns: string[];
  rows: unknown[][];
  /** Fields that have the same value in every row. */
  same?: Record<string, unknown>;
}

/** A value that is left out where it is shown. */
const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Returns a record without empty lists and values. */
export const dense = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !isBlank(value) && !isEmptyObject(value)));

const isEmptyObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/**
 * Returns records as a table of at most `most` bytes: values that all rows share are named once, empty values are "". Columns
 * without any value are left out unless they are among those `asked` for.
 */
export function tableOf(
  columns: readonly string[],
  records: readonly object[],
  most: number,
  asked: readonly string[] = [],
): Table {
  const values = records.map((record) => {
    const shown = outside(record) as Record<string, unknown>;
    return columns.map((column) => cellOf(shown, column));
  });
  const kept = columns.flatMap((name, i) =>
    asked.includes(name) || values.some((row) => !isBlank(row[i])) ? [{ name, i }] : [],
  );
  const [first] = values;
  const shared = kept.filter(
    ({ name, i }) =>
      name !== "id" &&
      values.length > 2 &&
      values.every((row) => JSON.stringify(shownIn(row[i])) === JSON.stringify(shownIn(first?.[i]))),
  );
  const own = kept.filter((column) => !shared.includes(column));
  const rows: unknown[][] = [];
  let room = most;
  for (const row of values) {
    const cells = own.map(({ i }) => shownIn(row[i]));
    room -= bytesOf(cells) + 1;
    if (room < 0 && rows.length > 0) break;
    rows.push(cells);
  }
  return {
    columns: own.map(({ name }) => name),
    rows,
    ...(shared.length > 0
      ? { same: Object.fromEntries(shared.map(({ name, i }) => [name, shownIn(first?.[i])])) }
      : {}),
  };
}

const shownIn = (value: unknown): unknown => (isBlank(value) ? "" : value);

/** Longer texts are cut in tables: get_lead has them whole. */
const LONGEST = 120;

/** A value as a cell: `custom.<key>` is a column of its own. */
function cellOf(record: Record<string, unknown>, column: string): unknown {
  const [, key] = /^custom\.(.+)$/.exec(column) ?? [];
  const value =
    key === undefined ? record[column] : (record.custom as Record<string, unknown> | undefined)?.[key];
  if (typeof value === "string") return shortened(value);
  if (Array.isArray(value)) return value.map(String).join(", ");
  return value;
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?([+-]\d\d:\d\d)$/;

/** Returns a timestamp to the minute, and the beginning of a long text. */
export const shortened = (text: string): string =>
  text.replace(TIMESTAMP, "$1$2").length > LONGEST
    ? `${text.slice(0, LONGEST)}…`
    : text.replace(TIMESTAMP, "$1$2");
