import type { Refusal } from "../../core/refusal.ts";
import type { BulkAnswer } from "../leads/bulk/bulk-leads.ts";
import type { AddedEvent } from "../timeline/add-events.ts";
import type { PreviewFailure } from "./preview.ts";

const MOST = 50;

/** Returns the items that were refused, with the name of their list. */
const failuresOf = (
  list: string,
  items: readonly { index: number; refusal: Refusal | null }[],
): PreviewFailure[] =>
  items
    .flatMap(({ index, refusal }) =>
      refusal === null ? [] : [{ path: `$.${list}[${index}]`, code: refusal.code, message: refusal.message }],
    )
    .slice(0, MOST);

export const bulkFailures = (output: BulkAnswer): PreviewFailure[] =>
  "results" in output ? failuresOf("items", output.results) : [];

export const eventFailures = (output: readonly AddedEvent[]): PreviewFailure[] =>
  failuresOf("events", output);

/** Returns what is kept of the answer of a bulk change. */
export function bulkOutcome(output: BulkAnswer): object {
  if ("job" in output) return { job_id: (JSON.parse(output.job.json) as { id: string }).id };
  if (!("results" in output)) {
    const { matched, updated, unchanged, failed } = output;
    return { matched, updated, unchanged, failed };
  }
  const results = output.results.map(({ index, id, outcome, version, refusal }) => ({
    ...{ index, id, outcome, version },
    ...(refusal === null ? {} : { code: refusal.code }),
  }));
  return { results };
}

/** Returns what is kept of the answer of added events. */
export const eventsOutcome = (output: readonly AddedEvent[]): object => ({
  results: output.map(({ index, id, lead_id, outcome, refusal }) => ({
    ...{ index, id, lead_id, outcome },
    ...(refusal === null ? {} : { code: refusal.code }),
  })),
});
