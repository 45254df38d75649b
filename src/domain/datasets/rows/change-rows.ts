import { Type } from "typebox";
import { RowsInput } from "../../../contract/datasets/row-input.ts";
import { newChange } from "../../changes/change.ts";
import { memberOperation } from "../../operation/operation.ts";
import { findDataset } from "../definition/dataset.ts";
import { DatasetName } from "../definition/dataset-input.ts";
import { rowsRefusal } from "./refuse-rows.ts";
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

/** Writes up to 500 rows, all or none; the refusal (422) lists the faults by row to those who may read rows. */
export const changeRows = memberOperation({
  name: "datasets.rows.write",
  needs: "datasets:write",
  limit: "datasetWrites",
  input: Type.Object(
    { dataset: DatasetName, ...RowsInput.properties, rows },
    { additionalProperties: false },
  ),
  async run(context, { dataset: name, rows, mode = "insert" }): Promise<ChangedRows> {
    const { db, caller } = context;
    const { projectId } = caller;
    const written = await db.transaction(async (tx) => {
      const dataset = await findDataset(tx, projectId, name, "lock");
      const change = newChange(context, "row.write", { about: { dataset_id: dataset.id } });
      return await writeRows(tx, projectId, dataset, rows, { mode, as: "json", whole: true, change });
    });
    if (written.some(({ faults }) => faults.length > 0)) {
      const asked = written.map(({ index, faults }) => ({ path: `$.rows[${index}]`, faults }));
      throw await rowsRefusal(db, caller, asked, mode);
    }
    const count = (outcome: WrittenRow["outcome"]) => written.filter((row) => row.outcome === outcome).length;
    return {
      results: written.map(({ index, id, outcome, version }) => ({ index, id, outcome, version })),
      ...{ created: count("created"), updated: count("updated"), unchanged: count("unchanged") },
    };
  },
});
