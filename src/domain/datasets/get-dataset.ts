import { Type } from "typebox";
import { memberOperation } from "../operation/operation.ts";
import { findDataset, type ShownDataset, shownDataset } from "./definition/dataset.ts";
import { DatasetName } from "./definition/dataset-input.ts";

/** Returns a dataset by id or key. */
export const getDataset = memberOperation({
  name: "datasets.get",
  lane: "keyed",
  needs: "datasets:read",
  limit: "datasetReads",
  input: Type.Object({ dataset: DatasetName }, { additionalProperties: false }),
  run: async ({ db, caller }, { dataset }): Promise<ShownDataset> =>
    shownDataset(await findDataset(db, caller.projectId, dataset)),
});
