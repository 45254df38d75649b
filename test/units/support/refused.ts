import { Refusal } from "../../../src/core/refusal.ts";

/** The refusal that this ends with; fails where it ends well. */
export function refused(read: () => unknown): Refusal {
  try {
    read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
