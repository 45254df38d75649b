import type { ProjectDb } from "../../../db/pool/database.ts";
import type { FileRecord } from "../file/import-file.ts";
import type { RowReader } from "../mapping/read-row.ts";
import { batchesOf, oneAhead } from "./batches.ts";
import { inHalves } from "./in-halves.ts";
import { type BatchContext, type Placed, writeBatch } from "./write-batch.ts";

/** An import under way: where it writes, how it reads, and how many rows are done already. */
export interface ImportRun {
  db: ProjectDb;
  context: BatchContext;
  reader: RowReader;
  records: AsyncIterable<FileRecord>;
  done: number;
  signal?: AbortSignal;
  onBatch?(outcome: Placed): void;
}

/** Writes what is left of a file, a batch a transaction. Throws JobTaken when the import is no longer this run's. */
export async function runImport(run: ImportRun): Promise<void> {
  let { done } = run;
  const { batches, readNext } = oneAhead(batchesOf(run.records, run.reader, done));
  for await (const rows of batches) {
    if (run.signal?.aborted) throw run.signal.reason as Error;
    await inHalves(rows, async (some) => {
      const outcome = await run.db.transaction((tx) =>
        writeBatch(tx, { ...run.context, readNext }, some, done),
      );
      done += some.length;
      run.onBatch?.(outcome);
    });
  }
}
