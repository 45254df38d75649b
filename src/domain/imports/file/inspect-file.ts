import { takeTurns } from "../../values/take-turns.ts";
import { type ColumnProfile, ColumnWatch } from "./column-profile.ts";
import type { FileChoices, FileShape } from "./import-file.ts";
import { openFile } from "./open-file.ts";

/** What a file is: how it is read, how many records it has, and what each column looks like. */
export interface Inspection {
  shape: FileShape;
  records: number;
  columns: ColumnProfile[];
}

/** Reads a whole file once; a Refusal says what is wrong with it. Holds a record at a time. */
export async function inspectFile(
  bytes: AsyncIterable<Buffer | string>,
  choices: FileChoices = {},
): Promise<Inspection> {
  const { shape, records } = await openFile(bytes, choices);
  const watches: ColumnWatch[] = [];
  const turn = takeTurns();
  let count = 0;
  for await (const { cells, fault } of records) {
    count += 1;
    for (let i = 0; fault === undefined && i < cells.length && i < shape.header.length; i += 1) {
      watches[i] ??= new ColumnWatch();
      watches[i]?.see(cells[i] ?? "");
    }
    await turn();
  }
  const columns = shape.header.map((name, i) => (watches[i] ?? new ColumnWatch()).profile(name));
  return { shape, records: count, columns };
}
