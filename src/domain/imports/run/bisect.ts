import { sqlstateOf } from "../../../db/statements/violated.ts";
import { againIfRaced, isTaken } from "../../leads/identity/external-id.ts";
import type { ReadRow } from "../mapping/row-reader.ts";

/** SQLSTATEs caused by the data itself (format, constraints, size), which fail on every retry. */
const OF_THE_DATA = /^(22|23|54)[0-9A-Z]{3}$/;

/**
 * Places a batch. If the database rejects its data, places each half separately, down to the bad row, which fails
 * alone. Otherwise the whole import would be retried for days.
 */
export async function bisect(
  rows: readonly ReadRow[],
  place: (rows: readonly ReadRow[]) => Promise<void>,
): Promise<void> {
  try {
    // Another writer may just have created a lead with the external id of a row; the next attempt finds it.
    return await againIfRaced(() => place(rows));
  } catch (error) {
    if (!isOfTheData(error)) throw error;
    const [row] = rows;
    if (rows.length === 1 && row?.kind === "filled") return await place([refused(row, error)]);
    if (rows.length < 2) throw error;
  }
  const middle = Math.ceil(rows.length / 2);
  await bisect(rows.slice(0, middle), place);
  await bisect(rows.slice(middle), place);
}

const isOfTheData = (error: unknown): boolean => OF_THE_DATA.test(sqlstateOf(error) ?? "");

const TAKEN = {
  column: "external_id",
  code: "external_id_taken",
  message: "another lead has this external id",
};
const REFUSED = { column: "", code: "refused", message: "cannot be stored; a value may be too long" };

const refused = ({ line, number, cells }: ReadRow, error: unknown): ReadRow => ({
  ...{ line, number, cells, kind: "bad" },
  faults: [{ row: line, ...(isTaken(error) ? TAKEN : REFUSED) }],
});
