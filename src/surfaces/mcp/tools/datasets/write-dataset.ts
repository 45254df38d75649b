import { Type } from "typebox";
import { ROW_MODES } from "../../../../contract/lists/datasets.ts";
import { OUTCOMES } from "../../../../contract/lists/outcomes.ts";
import { changeRows } from "../../../../domain/datasets/rows/change-rows.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { tool } from "../shared/tool.ts";
import { exactly, Hint, oneOf, open, Truncated, text, whole } from "../shared/words.ts";
import { DatasetName } from "./read-dataset.ts";

const FRAME_BYTES = 1_000;

/** A call also counts against the limit of datasets. */
export const writeDatasetTool = tool({
  name: "write_dataset",
  title: "Write rows of a dataset",
  description:
    "Writes up to 500 rows of one of the project's tables, all or none: if one row is invalid, none is " +
    "written, and the error names it. upsert and update find rows by the key column or _id, so repeating the " +
    "call changes nothing more; insert creates new rows each time.",
  input: exactly({
    dataset: DatasetName,
    mode: oneOf(ROW_MODES, "Create, create or change, or change rows."),
    rows: Type.Array(open("A row: values by column key. Omitted columns stay unchanged; null clears one."), {
      minItems: 1,
      maxItems: 500,
      description: "The rows, in order. _id names an existing row.",
    }),
  }),
  output: Type.Object({
    created: whole("How many rows were created."),
    updated: whole("How many were changed."),
    unchanged: whole("How many were unchanged."),
    results: Type.Array(
      Type.Object({
        index: whole("The row's position in the call, from 0."),
        id: text("The row's id, row_…"),
        outcome: oneOf(OUTCOMES, "Its outcome."),
        version: whole("Its version now."),
      }),
      { description: "The outcome of each row, in order." },
    ),
    truncated: Truncated,
    hint: Hint,
  }),
  operation: changeRows,
  destructive: true,
  idempotent: false,
  toInput: ({ dataset, mode, rows }) => ({ dataset, mode, rows }),
  toAnswer({ results, created, updated, unchanged }) {
    const shown = fitList(results, ANSWER_BYTES - FRAME_BYTES);
    const truncated = shown.length < results.length;
    const hint = "All rows were written; the results of the last ones did not fit.";
    return { created, updated, unchanged, results: shown, truncated, ...(truncated ? { hint } : {}) };
  },
});
