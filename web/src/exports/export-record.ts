import type { Export } from "../../../src/contract/exports.ts";

/** Whether there is a file to download. */
export const hasFile = ({ state, expires_at: until }: Export): boolean =>
  state === "done" && (until === null || Date.parse(until) > Date.now());
