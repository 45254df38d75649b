import * as endpoints from "../../../../contract/leads/bulk.ts";
import { type BulkAnswer, bulkLeads } from "../../../../domain/leads/bulk/bulk-leads.ts";
import type { BulkResult } from "../../../../domain/leads/bulk/bulk-results.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../../http/response/reply.ts";
import { statusOf } from "../../../../http/response/status.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { bodyOf } from "../../shared/input.ts";

/** `POST /api/v1/leads/bulk`: changes up to 500 listed leads, or all leads that match a filter. */
export const leadsBulkRoutes: readonly Route[] = [
  operationRoute({
    endpoint: endpoints.bulkLeads,
    bodyLimit: 4 * 1_024 * 1_024,
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
    opt_outs_kept: results.filter(({ warnings }) => warnings.some(({ code }) => code === "opt_out_kept"))
      .length,
    results: results.map(shown),
  });
}

function shown({ index, id, outcome, version, refusal, warnings }: BulkResult): object {
  if (refusal === null) {
    const status = outcome === "created" ? 201 : 200;
    return { index, status, id, outcome, version, error: null, warnings };
  }
  const { code, message, faults } = refusal;
  return {
    index,
    status: statusOf(refusal),
    id,
    outcome,
    version,
    error: { code, message, details: faults },
    warnings,
  };
}
