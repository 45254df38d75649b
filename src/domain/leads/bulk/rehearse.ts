import type { ProjectDb, Transaction } from "../../../db/pool/database.ts";

/** Does the work itself, and takes it back: what a rehearsal says is what the work does. */
export async function rehearse<T>(db: ProjectDb, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const outcome: T[] = [];
  const back = new Error("taken back");
  await db
    .transaction(async (tx) => {
      outcome.push(await work(tx));
      throw back;
    })
    .catch((error: unknown) => {
      if (error !== back) throw error;
    });
  const [said] = outcome;
  if (said === undefined) throw new Error("a rehearsal ended without an outcome");
  return said;
}
