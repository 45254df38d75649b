import { type ColumnInput, DatasetInput } from "../../contract/datasets/datasets.ts";
import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import { newChange } from "../changes/change.ts";
import { recordChange } from "../changes/record-change.ts";
import type { Column } from "../fields/column.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { roomSql } from "../sql/room.ts";
import { checkDefinition } from "./definition/check-definition.ts";
import { DATASET_COLUMNS, type Dataset, type ShownDataset, shownDataset } from "./definition/dataset.ts";

const MOST = 100;

const INSERT = `WITH ${roomSql("dataset WHERE project_id = $1 AND deleted_at IS NULL", MOST)}, made AS (
    INSERT INTO dataset (project_id, id, key, name, columns, key_column, lead_link, slots)
    SELECT $1, $2, $3, $4, $5::jsonb, $6, $7::jsonb, $8 FROM room
    ON CONFLICT (project_id, key) WHERE deleted_at IS NULL DO NOTHING RETURNING *
  ) SELECT ${DATASET_COLUMNS} FROM made d`;

/** Returns a column as it is stored. The key column is always required and unique. */
export const columnFrom = (
  { key, label = key, type, required = false, unique = false, options = [] }: ColumnInput,
  slot: string,
  keyColumn: string | null,
): Column => ({
  slot,
  key,
  label: label.trim(),
  type,
  required: required || key === keyColumn,
  unique: unique || key === keyColumn,
  options,
});

/** Creates an empty dataset; refuses (409) a key in use. */
export const createDataset = memberOperation({
  name: "datasets.create",
  needs: "datasets:write",
  limit: "datasetWrites",
  input: DatasetInput,
  async run(context, input): Promise<ShownDataset> {
    const { db, caller } = context;
    const { key, name = key, key_column: keyColumn = null, lead_link: link = null } = input;
    await checked(context, () => checkDefinition(input));
    const columns = input.columns.map((column, i) => columnFrom(column, `c${i + 1}`, keyColumn));
    const linked = columns.find((column) => column.key === link?.column);
    const stored = link === null ? null : JSON.stringify({ ...link, slot: linked?.slot, side: 0 });
    const id = newId("ds");
    const change = newChange(context, "dataset.create", { about: { dataset_id: id } });
    const made = await db.transaction(async (tx) => {
      const [row] = await tx.query<Dataset>(INSERT, [
        ...[caller.projectId, id, key, name.trim(), JSON.stringify(columns), keyColumn, stored],
        columns.length,
      ]);
      if (row !== undefined) await recordChange(tx, change, {});
      return row;
    });
    if (made === undefined) {
      const taken = await db.query(
        "SELECT FROM dataset WHERE project_id = $1 AND key = $2 AND deleted_at IS NULL",
        [caller.projectId, key],
      );
      throw taken.length > 0
        ? keyTaken(key)
        : new Refusal(
            "conflict",
            "too_many_datasets",
            `A project has at most ${MOST} datasets. Delete one first.`,
          );
    }
    return shownDataset(made);
  },
});

export const keyTaken = (key: string): Refusal =>
  new Refusal("conflict", "key_taken", `A dataset with the key ${key} already exists in this project.`, {
    faults: [{ path: "$.key", code: "key_taken", message: "is already the key of another dataset" }],
  });
