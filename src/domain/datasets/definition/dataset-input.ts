import { Type } from "typebox";
import { Refusal } from "../../../core/refusal.ts";

/** The refusal (412) for a version that is not the current one. */
export const stale = (noun: "dataset" | "row", version: number): Refusal =>
  new Refusal("stale", "stale", `The ${noun} is now at version ${version}. Read it again, then change it.`, {
    faults: [{ path: "version", code: "stale", message: String(version) }],
  });

export const DatasetName = Type.String({ description: "The dataset's id, such as ds_01k3…, or its key." });
