import { Refusal } from "../../../../core/refusal.ts";
import {
  columnNames,
  type Doubts,
  type FileChoices,
  type FileRecord,
  type FileShape,
  MOST_CHARACTERS,
  MOST_COLUMNS,
} from "../shape/import-file.ts";
import { EMAIL, isBlank, shownRow } from "./cell-looks.ts";
import { isStart } from "./csv-start.ts";
import { type FoundHeader, findHeader, type HeaderSearch, MOST_SHOWN, SEARCHED } from "./find-header.ts";
import { formerNames, ownColumns } from "./reason-columns.ts";

/** A table whose header was found: its records below the header, of which the first were read already. */
export interface Table {
  shape: Pick<FileShape, "headerRow" | "header" | "reasons">;
  doubts: Doubts;
  first: readonly FileRecord[];
  rest: AsyncIterable<FileRecord>;
}

/** Finds the header of a table among its first records. */
export async function openTable(
  records: AsyncGenerator<FileRecord>,
  delimiter: string,
  choices: FileChoices,
  search: HeaderSearch,
): Promise<Table> {
  const head = await headOf(records, delimiter, choices.header === false ? undefined : choices.header_row);
  const [first] = head;
  if (first === undefined) throw empty();
  const { at, doubts } = headerOf(head, choices, search);
  const row = head[at] ?? first;
  const own = choices.header === false ? undefined : ownColumns(row.cells);
  const cells = own === undefined ? row.cells : formerNames(row.cells.slice(0, own));
  if (cells.length > MOST_COLUMNS) throw tooMany();
  const isChosen = choices.header ?? (choices.header_row === undefined ? undefined : true);
  const named = isChosen ?? (own !== undefined || !cells.some((cell) => EMAIL.test(cell.trim())));
  const shown = doubts.filter(({ line }) => named || line !== row.line);
  return {
    shape: {
      headerRow: named ? row.line : null,
      header: columnNames(named ? cells : cells.map(() => "")),
      ...(own === undefined ? {} : { reasons: true }),
    },
    doubts: shown.length === 0 ? {} : { headers: shown },
    first: named ? head.slice(at + 1) : head,
    rest: records,
  };
}

/** Reads the first records, in which the header is searched, from the first one that is filled. */
async function headOf(
  records: AsyncGenerator<FileRecord>,
  delimiter: string,
  row: number | undefined,
): Promise<FileRecord[]> {
  const head: FileRecord[] = [];
  let characters = 0;
  for (let most = SEARCHED; head.length < most && characters <= MOST_CHARACTERS; ) {
    const next = await records.next();
    if (next.done === true) break;
    const record = next.value;
    if (head.length === 0 && !isStart(record, delimiter)) continue;
    head.push(record);
    for (const cell of record.cells) characters += cell.length;
    if (row !== undefined && record.line < row) most += 1;
  }
  return head;
}

function headerOf(
  head: readonly FileRecord[],
  { header, header_row: row }: FileChoices,
  search: HeaderSearch,
): FoundHeader {
  const [first] = head;
  const isFixed = header === false || first === undefined || ownColumns(first.cells) !== undefined;
  const found = isFixed ? { at: 0, doubts: [] } : findHeader(head.slice(0, SEARCHED), search);
  if (header === false || row === undefined) return found;
  const at = head.findIndex(({ line }) => line === row);
  const chosen = head[at];
  if (first === undefined || chosen === undefined || isBlank(chosen)) throw noRow(row);
  const others = at > 0 && found.doubts.length === 0 ? [shownRow(first)] : found.doubts;
  const shown = [shownRow(chosen), ...others.filter(({ line }) => line !== row)];
  return { at, doubts: others.length > 0 ? shown.slice(0, MOST_SHOWN) : [] };
}

/** The refusal of a file without a filled row. */
export const empty = (): Refusal =>
  new Refusal("unprocessable", "empty_file", "The file has no header line.");

const tooMany = (): Refusal =>
  new Refusal(
    "unprocessable",
    "too_many_columns",
    `The file has more than ${MOST_COLUMNS} columns. Check its delimiter.`,
  );

const noRow = (line: number): Refusal =>
  new Refusal(
    "unprocessable",
    "no_header_row",
    `Line ${line} of the file does not start a row with column names. Choose another line.`,
  );
