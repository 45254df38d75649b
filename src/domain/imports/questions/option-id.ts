import { createHash } from "node:crypto";
import { folded } from "../../../core/folded.ts";

/** The id of a question about a value: the same for the same value, and no cell, for callers who may not read the file. */
export const optionId = (field: string, value: string): string =>
  `option:${field}:${createHash("sha256").update(folded(value)).digest("hex").slice(0, 12)}`;
