import { Type } from "typebox";
import type { EventResult } from "../../../domain/timeline/add-events.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { statusOf } from "../../../http/response/status.ts";

const orNull = Type.Union([Type.String(), Type.Null()]);

export const EventBatchAnswer = Type.Object({
  created: Type.Integer(),
  unchanged: Type.Integer({ description: "Recorded before, by their source and external_id." }),
  failed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      index: Type.Integer(),
      status: Type.Integer({ description: "As the event by itself would have been answered." }),
      id: orNull,
      lead_id: orNull,
      outcome: Type.Enum(["created", "unchanged", "failed"]),
      error: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    }),
  ),
});

/** The results of a batch in the order of its events, and how many there are of each kind. */
export function batchReply(results: readonly EventResult[]): Reply {
  const count = (wanted: EventResult["outcome"]) =>
    results.filter(({ outcome }) => outcome === wanted).length;
  return ok({
    created: count("created"),
    unchanged: count("unchanged"),
    failed: count("failed"),
    results: results.map(shown),
  });
}

function shown({ refusal, ...result }: EventResult): object {
  if (refusal === null) {
    return { ...result, status: result.outcome === "created" ? 201 : 200, error: null };
  }
  const { code, message, faults } = refusal;
  return { ...result, status: statusOf(refusal), error: { code, message, details: faults } };
}
