import { createDataset } from "../datasets/create-dataset.ts";
import { changeRows } from "../datasets/rows/change-rows.ts";
import { deleteRows } from "../datasets/rows/delete-rows.ts";
import { undoChange } from "../history/undo-change.ts";
import { bulkLeads } from "../leads/bulk/bulk-leads.ts";
import { mergeLeads } from "../leads/merge/merge-leads.ts";
import { createLead } from "../leads/write/create-lead.ts";
import { createLeadOnce } from "../leads/write/create-lead-once.ts";
import { deleteLead } from "../leads/write/delete-lead.ts";
import { restoreLead } from "../leads/write/restore-lead.ts";
import { updateLead } from "../leads/write/update-lead.ts";
import { upsertLead } from "../leads/write/upsert-lead.ts";
import type { WrittenLead } from "../leads/write/write-outcome.ts";
import type { MemberOperation } from "../operation/operation.ts";
import { addEvent, addEvents } from "../timeline/add-events.ts";
import { undoMerge } from "../undo/undo-merge.ts";
import { createView } from "../views/create-view.ts";
import { bulkFailures, bulkOutcome, eventFailures, eventsOutcome } from "./batch-outcomes.ts";
import { PLAIN_RECORD, type PreviewFailure, type PreviewRecord } from "./preview.ts";

/** An operation that an application may propose. */
export interface Approvable {
  operation: MemberOperation;
  /** Returns what is kept of its answer: ids and counts, no values. */
  outcome(output: unknown): object;
  /** Returns what was made where no change records it. */
  made?(input: unknown): PreviewRecord[];
  /** Returns the items that were refused. */
  failures?(output: unknown): PreviewFailure[];
}

function approvable<Input, Output>(
  operation: MemberOperation<Input, Output>,
  more: {
    outcome(output: Output): object;
    made?(input: Input): PreviewRecord[];
    failures?(output: Output): PreviewFailure[];
  },
): Approvable {
  // Every input and output of these functions comes from this operation.
  return { operation, ...more } as Approvable;
}

const written = (lead: WrittenLead | null): object =>
  lead === null ? {} : { lead_id: lead.id, outcome: lead.outcome, ...versionOf(lead.json) };

function versionOf(json: string): object {
  if (json === "") return {};
  const { version } = JSON.parse(json) as { version?: number };
  return version === undefined ? {} : { version };
}

const ofJson = (json: string): Record<string, unknown> => JSON.parse(json) as Record<string, unknown>;

/** The operations that an application may propose, by their names. */
export const APPROVABLE = {
  "leads.create": approvable(createLead, { outcome: written }),
  "leads.create_once": approvable(createLeadOnce, { outcome: written }),
  "leads.update": approvable(updateLead, { outcome: written }),
  "leads.upsert": approvable(upsertLead, { outcome: written }),
  "leads.delete": approvable(deleteLead, { outcome: written }),
  "leads.restore": approvable(restoreLead, { outcome: written }),
  "leads.bulk": approvable(bulkLeads, { outcome: bulkOutcome, failures: bulkFailures }),
  "leads.merge": approvable(mergeLeads, {
    outcome: ({ mergeId, mergedId }) => ({ merge_id: mergeId, merged_id: mergedId }),
  }),
  "leads.unmerge": approvable(undoMerge, {
    outcome: ({ mergeId, winner, loser }) => ({ merge_id: mergeId, lead_ids: [winner, loser] }),
  }),
  "changes.undo": approvable(undoChange, {
    outcome: ({ undoes, state, job_id, counts }) => ({ undoes, state, job_id, counts }),
  }),
  "timeline.add": approvable(addEvent, {
    outcome: ({ created, json }) => ({ created, event_id: ofJson(json).id }),
  }),
  "timeline.add_many": approvable(addEvents, { outcome: eventsOutcome, failures: eventFailures }),
  "datasets.rows.write": approvable(changeRows, { outcome: (output) => output }),
  "datasets.rows.delete": approvable(deleteRows, {
    outcome: ({ deleted, missing }) => ({ deleted, missing: missing.length }),
  }),
  "datasets.create": approvable(createDataset, {
    outcome: ({ id, key }) => ({ dataset_id: id, key }),
    made: ({ key, name = key, columns }) => [
      {
        ...PLAIN_RECORD,
        ...{ kind: "dataset", name, outcome: "created" },
        changes: columns.map((column) => ({ field: column.key, from: null, to: column.type })),
      },
    ],
  }),
  "views.create": approvable(createView, { outcome: ({ id }) => ({ view_id: id }) }),
} as const satisfies Record<string, Approvable>;

export type ApprovableName = keyof typeof APPROVABLE;

export const APPROVABLE_NAMES = Object.keys(APPROVABLE) as ApprovableName[];
