import { eventLoopYielder } from "../../values/event-loop.ts";
import type { FileRecord } from "../file/shape/import-file.ts";
import type { ReadRow, RowReader } from "../mapping/row-reader.ts";

const ROWS = 1_000;
const CHARACTERS = 4_000_000;

/**
 * Yields batches of 1,000 rows, or fewer if rows are long. The first `done` rows are read, because calendars depend
 * on them, but not yielded.
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

/** Returns the batches of a source, and a function that starts reading the next one while the database works. */
export function oneAhead<T>(source: AsyncGenerator<T>): { batches: AsyncGenerator<T>; readNext(): void } {
  let next: Promise<IteratorResult<T>> | undefined;
  const readNext = (): Promise<IteratorResult<T>> => {
    next ??= source.next();
    // The failure is thrown where it is awaited; until then it must not count as unhandled.
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
