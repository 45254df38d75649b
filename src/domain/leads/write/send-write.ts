import type { ProjectDb } from "../../../db/pool/database.ts";
import type { Row, Statement } from "../../../db/wire/statement-batch.ts";

/** Where leads are written: a project behind its door, or a transaction there. */
export type WriteDb = Pick<ProjectDb, "query"> & Partial<Pick<ProjectDb, "queryAndCheck" | "transaction">>;

/** A statement that follows a write in its message and its transaction, and what takes its rows. */
export interface Behind {
  statement: Statement;
  take(rows: Row[]): void;
}

interface Sending {
  single: boolean;
  ahead?: readonly Statement[] | undefined;
  behind?: Behind | undefined;
}

/** Sends a write of leads, prepared; that of a single one shares its message with others of its project. */
export async function sendWrite<R>(
  db: WriteDb,
  { text, values }: Statement,
  { single, ahead, behind }: Sending,
): Promise<R[]> {
  const options = { prepare: true, grouped: single ? ("write" as const) : undefined, ahead };
  if (behind === undefined) return await db.query<R>(text, values, options);
  if (db.queryAndCheck === undefined) {
    const written = await db.query<R>(text, values, options);
    const { statement } = behind;
    behind.take(await db.query<Row>(statement.text, [...statement.values], { prepare: true }));
    return written;
  }
  const { rows, checked } = await db.queryAndCheck<R, Row>(text, values, behind.statement, options);
  behind.take(checked);
  return rows;
}
