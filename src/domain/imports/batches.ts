import type { CsvRecord } from "./csv-file.ts";
import type { ReadRow, RowReader } from "./read-row.ts";

const ROWS = 2_000;
const CHARACTERS = 4_000_000;

/** Reads records into batches of 2,000 rows, or fewer where the rows are long. */
export async function* batchesOf(
  records: AsyncIterable<CsvRecord>,
  reader: RowReader,
): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = [];
  let characters = 0;
  let number = 0;
  for await (const record of records) {
    number += 1;
    batch.push(reader.read(record, number));
    for (const cell of record.cells) characters += cell.length;
    if (batch.length < ROWS && characters < CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Has the next batch read while the present one is written. */
export async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (let step = await next; step.done !== true; step = await next) {
      next = source.next();
      // Its failure is met when it is awaited; until then it must not count as unhandled.
      next.catch(() => undefined);
      yield step.value;
    }
  } finally {
    await source.return(undefined).catch(() => undefined);
  }
}
