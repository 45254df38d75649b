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
    description: "What was asked for; null for a key that may not read leads.",
  }),
  actor,
  done: Type.Integer({
    description: "Leads of `total` that were looked at: changed, unchanged and skipped.",
  }),
  total,
  changed: Type.Integer(),
  unchanged: Type.Integer({ description: "Leads that were so already." }),
  skipped: Type.Integer({
    description: "Leads that were deleted or merged meanwhile, or had no room for a tag.",
  }),
  error,
  created_at,
  started_at,
  finished_at,
});
