import { Type } from "typebox";
import { newChange } from "../changes/change.ts";
import { recordChange } from "../changes/record-change.ts";
import { memberOperation } from "../operation/operation.ts";
import { isCurrent, Version } from "../values/version.ts";
import { findDataset } from "./definition/dataset.ts";
import { DatasetName, stale } from "./definition/dataset-input.ts";
import { eraseDataset } from "./sweep-datasets.ts";

/** How many rows the call deletes; the sweep deletes the rest. */
const AT_ONCE = 1_000;

/** Deletes a dataset permanently. It disappears at once; remaining rows are deleted in the background. */
export const deleteDataset = memberOperation({
  name: "datasets.delete",
  needs: "datasets:write",
  limit: "datasetWrites",
  input: Type.Object(
    { dataset: DatasetName, version: Type.Optional(Version) },
    { additionalProperties: false },
  ),
  async run(context, { dataset: name, version }): Promise<void> {
    const { db, caller } = context;
    const { projectId } = caller;
    await db.transaction(async (tx) => {
      const dataset = await findDataset(tx, projectId, name, "lock");
      if (!isCurrent(version, dataset.version)) throw stale("dataset", dataset.version);
      await tx.query("UPDATE dataset SET deleted_at = moment() WHERE project_id = $1 AND id = $2", [
        projectId,
        dataset.id,
      ]);
      await eraseDataset(tx, projectId, dataset.id, AT_ONCE);
      const change = newChange(context, "dataset.delete", { about: { dataset_id: dataset.id } });
      await recordChange(tx, change, {});
    });
  },
});
