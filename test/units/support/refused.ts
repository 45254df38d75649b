import { Refusal } from "../../../src/core/refusal.ts";

/** Returns the refusal that is thrown; fails if there is none. */
export function refused(read: () => unknown): Refusal {
  try {
    read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
