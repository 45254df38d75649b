import { eventLoopYielder } from "../../values/event-loop.ts";
import type { FileRecord } from "../file/import-file.ts";
import type { ReadRow, RowReader } from "../mapping/row-reader.ts";

const ROWS = 1_000;
const CHARACTERS = 4_000_000;

/**
 * Reads records into batches of 1,000 rows, or fewer where the rows are long. The first `done` of them are read,
 * because calendars count on it, and left out.
 */
export async function* batchesOf(
  records: AsyncIterable<FileRecord>,
  reader: RowReader,
  done = 0,
): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = [];
  let characters = 0;
  let number = 0;
  const yieldIfDue = eventLoopYielder();
  for await (const record of records) {
    number += 1;
    const row = reader.read(record, number);
    await yieldIfDue();
    if (number <= done) continue;
    batch.push(row);
    for (const cell of record.cells) characters += cell.length;
    if (batch.length < ROWS && characters < CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The batches of a source, and a way to have the next one read while the database is busy with the present one. */
export function oneAhead<T>(source: AsyncGenerator<T>): { batches: AsyncGenerator<T>; readNext(): void } {
  let next: Promise<IteratorResult<T>> | undefined;
  const readNext = (): Promise<IteratorResult<T>> => {
    next ??= source.next();
    // Its failure is met when it is awaited; until then it must not count as unhandled.
    next.catch(() => undefined);
    return next;
  };
  async function* batches(): AsyncGenerator<T> {
    try {
      for (let step = await readNext(); step.done !== true; step = await readNext()) {
        next = undefined;
        yield step.value;
      }
    } finally {
      await source.return(undefined).catch(() => undefined);
    }
  }
  return { batches: batches(), readNext: () => void readNext() };
}
