import { Refusal } from "../../../core/refusal.ts";

/** 412: the caller knows another version than the present one. */
export const stale = (noun: "dataset" | "row", version: number): Refusal =>
  new Refusal(
    "stale",
    "stale",
    `The ${noun} is at version ${version} by now. Read it again, then change it.`,
    {
      faults: [{ path: "version", code: "stale", message: String(version) }],
    },
  );
