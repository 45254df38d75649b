import type { ProjectDb } from "../../../db/pool/database.ts";
import type { FileRecord } from "../file/shape/import-file.ts";
import type { RowReader } from "../mapping/row-reader.ts";
import type { BatchContext, Placed } from "./batch-context.ts";
import { batchesOf, oneAhead } from "./batches.ts";
import { bisect } from "./bisect.ts";
import { writeBatch } from "./write-batch.ts";

/** A running import: where it writes, how it reads, and how many rows are done. */
export interface ImportRun {
  db: ProjectDb;
  context: BatchContext;
  reader: RowReader;
  records: AsyncIterable<FileRecord>;
  done: number;
  signal?: AbortSignal;
  onBatch?(outcome: Placed): void;
}

/** Writes the rest of a file, one transaction per batch. Throws JobTaken if another run took over the import. */
export async function runImport(run: ImportRun): Promise<void> {
  let { done } = run;
  const { batches, readNext } = oneAhead(batchesOf(run.records, run.reader, done));
  for await (const rows of batches) {
    if (run.signal?.aborted) throw run.signal.reason as Error;
    await bisect(rows, async (some) => {
      const outcome = await run.db.transaction((tx) =>
        writeBatch(tx, { ...run.context, readNext }, some, done),
      );
      done += some.length;
      run.onBatch?.(outcome);
    });
  }
}
