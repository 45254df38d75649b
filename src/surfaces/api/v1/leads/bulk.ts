import { Type } from "typebox";
import { BulkInput } from "../../../../domain/leads/bulk/bulk-input.ts";
import { type BulkAnswer, bulkLeads } from "../../../../domain/leads/bulk/bulk-leads.ts";
import type { BulkResult } from "../../../../domain/leads/bulk/bulk-results.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../../http/response/reply.ts";
import { statusOf } from "../../../../http/response/status.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { refusals } from "../../shared/described.ts";
import { bodyOf } from "../../shared/input.ts";
import { JobBody } from "../../shared/job-described.ts";

const Answer = Type.Object({
  op: Type.String(),
  dry_run: Type.Boolean(),
  matched: Type.Optional(Type.Integer({ description: "How many leads match the filter." })),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Integer(),
  results: Type.Optional(
    Type.Array(
      Type.Object({
        index: Type.Integer(),
        status: Type.Integer({ description: "The error that the item would have returned on its own." }),
        id: Type.Union([Type.String(), Type.Null()]),
        outcome: Type.Enum(["created", "updated", "unchanged", "failed"]),
        version: Type.Union([Type.Integer(), Type.Null()]),
        error: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
      }),
      { description: "One per item, in the same order; none for a filter." },
    ),
  ),
});

/** `POST /api/v1/leads/bulk`: changes up to 500 listed leads, or all leads that match a filter. */
export const leadsBulkRoutes: readonly Route[] = [
  operationRoute({
    method: "POST",
    url: "/api/v1/leads/bulk",
    bodyLimit: 4 * 1_024 * 1_024,
    describe: {
      summary: "Change many leads",
      description:
        "Up to 500 items, each with its own result: one that fails does not affect the others. Or every lead that a " +
        "filter matches, and 409 unless they are expected_count: up to 10,000 all or none; beyond that, 202 with the job " +
        "that changes them. dry_run rolls everything back.",
      tags: ["leads"],
      bearer: true,
      body: BulkInput,
      answers: { 200: Answer, 202: JobBody, ...refusals(409, 413, 415, 422, 429) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: bulkLeads,
    reply: bulkReply,
  }),
];

function bulkReply(answer: BulkAnswer): Reply {
  if ("job" in answer) {
    const { id, json } = answer.job;
    return { status: 202, body: json, headers: { Location: `/api/v1/jobs/${id}` } };
  }
  if (!("results" in answer)) return ok({ ...answer, created: 0 });
  const { results, ...rest } = answer;
  const count = (wanted: BulkResult["outcome"]) => results.filter(({ outcome }) => outcome === wanted).length;
  return ok({
    ...rest,
    created: count("created"),
    updated: count("updated"),
    unchanged: count("unchanged"),
    failed: count("failed"),
    results: results.map(shown),
  });
}

function shown({ index, id, outcome, version, refusal }: BulkResult): object {
  if (refusal === null) {
    return { index, status: outcome === "created" ? 201 : 200, id, outcome, version, error: null };
  }
  const { code, message, faults } = refusal;
  return {
    index,
    status: statusOf(refusal),
    id,
    outcome,
    version,
    error: { code, message, details: faults },
  };
}
