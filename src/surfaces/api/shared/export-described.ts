import { Type } from "typebox";

const moment = Type.Union([Type.String({ format: "date-time" }), Type.Null()]);
const number = Type.Union([Type.Integer(), Type.Null()]);
const words = Type.Object({}, { additionalProperties: true });

/** An export as OpenAPI tells it. */
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
  actor: words,
  done: Type.Integer({ description: "How many of `total` rows are done." }),
  total: number,
  bytes: number,
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
  created_at: moment,
  started_at: moment,
  finished_at: moment,
  expires_at: Type.Union([
    Type.String({ format: "date-time", description: "When the file is deleted." }),
    Type.Null(),
  ]),
});
