import { Type } from "typebox";
import { ExportBody } from "./export-described.ts";

const { state, actor, total, error, created_at, started_at, finished_at } = ExportBody.properties;
const words = { additionalProperties: true };

/** A job as OpenAPI tells it. */
export const JobBody = Type.Object({
  id: Type.String(),
  kind: Type.Enum(["bulk"]),
  op: Type.Enum(["set", "tag_add", "tag_remove", "delete"]),
  state,
  query: Type.Union([Type.Object({}, words), Type.Null()], {
    description: "The request; null for a key that may not read leads.",
  }),
  actor,
  done: Type.Integer({
    description: "How many of `total` leads were processed: changed, unchanged and skipped.",
  }),
  total,
  changed: Type.Integer(),
  unchanged: Type.Integer({ description: "Leads that already had these values." }),
  skipped: Type.Integer({
    description: "Leads that had been deleted or merged, or had no room for another tag.",
  }),
  error,
  created_at,
  started_at,
  finished_at,
});
