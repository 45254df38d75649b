import { Type } from "typebox";
import { anyObject, dateTimeOrNull, orNull } from "./described.ts";

const integerOrNull = orNull(Type.Integer());

/** The OpenAPI schema of an export. */
export const ExportBody = Type.Object({
  id: Type.String(),
  state: Type.Union(
    [
      Type.Literal("waiting"),
      Type.Literal("running"),
      Type.Literal("done"),
      Type.Literal("failed"),
      Type.Literal("cancelled"),
    ],
    { description: "The last three are final." },
  ),
  format: Type.Union([Type.Literal("csv"), Type.Literal("ndjson"), Type.Literal("json")]),
  query: Type.Object({}, { additionalProperties: true, description: "The request." }),
  actor: anyObject,
  done: Type.Integer({ description: "How many of `total` rows are done." }),
  total: integerOrNull,
  bytes: integerOrNull,
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
  created_at: dateTimeOrNull,
  started_at: dateTimeOrNull,
  finished_at: dateTimeOrNull,
  expires_at: Type.Union([
    Type.String({ format: "date-time", description: "When the file is deleted." }),
    Type.Null(),
  ]),
});

const { state, actor, total, error, created_at, started_at, finished_at } = ExportBody.properties;

/** The OpenAPI schema of a job. */
export const JobBody = Type.Object({
  id: Type.String(),
  kind: Type.Enum(["bulk"]),
  op: Type.Enum(["set", "tag_add", "tag_remove", "delete"]),
  state,
  query: Type.Union([anyObject, Type.Null()], {
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
