import { Type } from "typebox";
import { RowsInput } from "../../../contract/nouns/datasets/row-input.ts";
import { type Fault, Refusal } from "../../../core/refusal.ts";
import { memberOperation } from "../../operation/operation.ts";
import { findDataset } from "../definition/dataset.ts";
import { DatasetName } from "../definition/dataset-input.ts";
import { type WrittenRow, writeRows } from "./write-rows.ts";

/** Rows of any shape, because the fault of a wrong row names the row. */
const rows = Type.Array(Type.Unknown(), { minItems: 1, maxItems: 500 });

/** The outcome of each row, in order, and the counts. */
export interface ChangedRows {
  results: Pick<WrittenRow, "index" | "id" | "outcome" | "version">[];
  created: number;
  updated: number;
  unchanged: number;
}

/** The most faults that a refusal lists. */
const MOST_FAULTS = 500;

/** Writes up to 500 rows, all or none; the refusal (422) lists the faults by row. */
export const changeRows = memberOperation({
  name: "datasets.rows.write",
  needs: "datasets:write",
  limit: "datasetWrites",
  input: Type.Object(
    { dataset: DatasetName, ...RowsInput.properties, rows },
    { additionalProperties: false },
  ),
  async run({ db, caller }, { dataset: name, rows, mode = "insert" }): Promise<ChangedRows> {
    const { projectId } = caller;
    const written = await db.transaction(async (tx) => {
      const dataset = await findDataset(tx, projectId, name, "lock");
      return await writeRows(tx, projectId, dataset, rows, { mode, as: "json", whole: true });
    });
    const faults = written.flatMap(({ index, faults }) =>
      faults.map((fault) => at(`$.rows[${index}]`, fault)),
    );
    if (faults.length > 0) throw unwritable(faults);
    const count = (outcome: WrittenRow["outcome"]) => written.filter((row) => row.outcome === outcome).length;
    return {
      results: written.map(({ index, id, outcome, version }) => ({ index, id, outcome, version })),
      ...{ created: count("created"), updated: count("updated"), unchanged: count("unchanged") },
    };
  },
});

/** Puts a row's fault under the row's path. */
export const at = (row: string, { path, code, message }: Fault): Fault => ({
  path: path === "" ? row : `${row}.${path}`,
  code,
  message,
});

/** The refusal (422) for rows that cannot be written; none was. */
export function unwritable(faults: readonly Fault[]): Refusal {
  const [first] = faults;
  const message =
    first === undefined
      ? "The rows have invalid values; none was written."
      : `${first.path}: ${first.message}`;
  return new Refusal("unprocessable", first?.code ?? "invalid_row", message, {
    faults: faults.slice(0, MOST_FAULTS),
  });
}
