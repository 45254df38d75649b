import type { RowMode } from "../../../contract/lists/datasets.ts";
import { type Fault, Refusal } from "../../../core/refusal.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import { may } from "../../operation/may-sql.ts";
import type { Credential } from "../../tenancy/credential.ts";

/** A row of a call: its JSON path there, and what is wrong with it by column. */
interface AskedRow {
  path: string;
  faults: readonly Fault[];
}

/** The most faults that a refusal lists. */
const MOST_FAULTS = 500;

/** Returns the refusal (422) of a call's rows, none of which was written, as far as the caller may read rows. */
export async function rowsRefusal(
  db: Pick<Queryable, "query">,
  caller: Credential,
  rows: readonly AskedRow[],
  mode: RowMode,
): Promise<Refusal> {
  const faults = rows.flatMap(({ path: row, faults }) =>
    faults.map(({ path, ...fault }) => ({ path: path === "" ? row : `${row}.${path}`, ...fault })),
  );
  const told = (await may(db, caller, "datasets:read")) ? faults : toldUnread(faults, rows, mode);
  const [first] = told;
  const message =
    first === undefined
      ? "The rows have invalid values; none was written."
      : `${first.path}: ${first.message}`;
  return new Refusal("unprocessable", first?.code ?? "invalid_row", message, {
    faults: told.slice(0, MOST_FAULTS),
  });
}

/**
 * Without datasets:read: what is wrong with the rows in themselves, and only if nothing is, that stored rows are in
 * the way. Which of several values that is, a refused call would tell without a trace.
 */
function toldUnread(faults: readonly Fault[], rows: readonly AskedRow[], mode: RowMode): readonly Fault[] {
  const own = faults.filter(({ code }) => !dependsOnStored(code, mode));
  if (own.length > 0) return own;
  if (rows.length > 1) return rows.map(({ path }) => ({ path, ...UNFIT }));
  const others = faults.filter(({ code }) => code !== "duplicate");
  return others.length > 0 ? others : rows.map(({ path }) => ({ path, ...TAKEN }));
}

const dependsOnStored = (code: string, mode: RowMode): boolean =>
  code === "duplicate" ||
  (mode !== "insert" && (code === "unknown_row" || code === "required" || code === "row_too_large"));

/** Said of every row of the call, whichever it is. */
const UNFIT = {
  code: "does_not_fit",
  message:
    "this row or another one of the call does not fit the stored rows; send one at a time, or use a key with datasets:read",
};

const TAKEN = { code: "duplicate", message: "has a value that must be unique and is another row's" };
