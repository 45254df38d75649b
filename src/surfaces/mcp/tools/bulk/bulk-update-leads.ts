import type { Static } from "typebox";
import type { Fault } from "../../../../core/refusal.ts";
import { bulkLeads } from "../../../../domain/leads/bulk/bulk-leads.ts";
import { type BulkPreview, previewBulk } from "../../../../domain/leads/bulk/preview-bulk.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { patchFaults, patchPath, toPatch } from "../leads/lead-fields.ts";
import { toSelection } from "../leads/selection.ts";
import { composedTool } from "../shared/tool.ts";
import { BulkAnswer, BulkArguments, sampleOf } from "./bulk-words.ts";

const OPS = { set: "set", add_tags: "tag_add", remove_tags: "tag_remove" } as const;

type Given = Static<typeof BulkArguments>;

/**
 * Changes all selected leads, or reports in a dry run what would change. A job does it in the background for
 * more than 10,000 leads.
 */
export const bulkUpdateLeadsTool = composedTool({
  name: "bulk_update_leads",
  title: "Change many leads",
  description:
    "Sets or clears fields, or adds or removes tags, of every lead that matches. Without dry_run: false it only simulates: " +
    "how many leads match, a sample of what would change, and the expected_count that the real change needs. " +
    "Up to 10,000 leads the change is all or nothing. It fails if the number of matches has changed.",
  input: BulkArguments,
  output: BulkAnswer,
  needs: "leads:write",
  alsoNeeds: "leads:read",
  destructive: true,
  idempotent: true,
  path: patchPath,
  check: (args) => [...whichFaults(args), ...whatFaults(args), ...countFaults(args)],
  async run(call, args) {
    const { service, caller } = call;
    const { action, tags, dry_run: dry = true, expected_count: expected, set, clear, ...selection } = args;
    const input = {
      op: OPS[action],
      filter: { and: [] },
      ...toSelection(selection),
      ...(action === "set" ? { set: toPatch({ set, clear }) } : { tags }),
      ...(dry || expected === undefined ? {} : { expected_count: expected }),
    };
    if (dry) return rehearsed(await perform(service, previewBulk, caller, { ...input, dry_run: true }, call));
    const done = await perform(service, bulkLeads, caller, input, call);
    if ("job" in done) return leftToWorker(done.job.id, expected ?? 0);
    if ("results" in done) throw new Error("a change by filter answered items");
    const { matched, updated, unchanged, failed } = done;
    return { dry_run: false, matched, updated, unchanged, failed, untrusted_content: [] };
  },
});

function rehearsed({ matched, updated, unchanged, failed, sample }: BulkPreview): object {
  return {
    dry_run: true,
    matched,
    ...(updated === undefined ? {} : { updated, unchanged, failed }),
    sample: sampleOf(sample),
    expected_count: matched,
    hint: "Nothing was changed. The same arguments with dry_run: false and this expected_count make the change.",
    untrusted_content: ["sample"],
  };
}

const leftToWorker = (id: string, matched: number): object => ({
  dry_run: false,
  matched,
  job_id: id,
  hint: "The leads are changed in the background, a thousand at a time. query_leads shows the progress.",
  untrusted_content: [],
});

function whichFaults({ filter, view, search }: Given): Fault[] {
  if (filter !== undefined || view !== undefined || (search ?? "").trim() !== "") return [];
  const message = "is required, or view, or search; to change every lead, send a filter that matches all";
  return [{ path: "$.filter", code: "required", message }];
}

function whatFaults({ action, tags, set, clear }: Given): Fault[] {
  if (action === "set") {
    const unexpected = {
      path: "$.tags",
      code: "unexpected",
      message: "is allowed only for add_tags and remove_tags",
    };
    return tags === undefined ? patchFaults({ set, clear }) : [unexpected];
  }
  const names = (["set", "clear"] as const).filter((name) => ({ set, clear })[name] !== undefined);
  const faults = names.map((name) => ({
    path: `$.${name}`,
    code: "unexpected",
    message: "is allowed only for set",
  }));
  const required = { path: "$.tags", code: "required", message: `is required for ${action}` };
  return tags === undefined ? [...faults, required] : faults;
}

function countFaults({ dry_run: dry = true, expected_count: expected }: Given): Fault[] {
  if (dry || expected !== undefined) return [];
  const message = "is required with dry_run: false; a dry run returns it";
  return [{ path: "$.expected_count", code: "required", message }];
}
