import type { Static } from "typebox";
import { type Fault, malformed, Refusal } from "../../../../core/refusal.ts";
import { bulkLeads } from "../../../../domain/leads/bulk/bulk-leads.ts";
import { type BulkPreview, previewBulk } from "../../../../domain/leads/bulk/preview-bulk.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import type { Call, Questions } from "../../protocol/registry.ts";
import { patchFaults, patchPath, toPatch } from "../leads/lead-fields.ts";
import { selectionOf } from "../leads/selection.ts";
import { itemsAnswer } from "../shared/items-answer.ts";
import { leadsNamed, namesOfLeads } from "../shared/lead-ref.ts";
import { withOwnerNames, withOwners } from "../shared/owners.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { jobIn, worked } from "../shared/writing.ts";
import { BulkArguments, sampleOf } from "./bulk-words.ts";

const OPS = {
  set: "set",
  add_tags: "tag_add",
  remove_tags: "tag_remove",
  delete: "delete",
  restore: "restore",
} as const;

/** A change of more leads than this needs its person's consent, like every deletion. */
const MOST_UNASKED = 50;

type Given = Static<typeof BulkArguments>;

/**
 * Changes the named leads, or all that a filter finds, or reports in a dry run what would change. A job does it in the
 * background for more than 10,000 leads.
 */
export const bulkUpdateLeadsTool = composedTool({
  name: "bulk_update_leads",
  title: "Change many leads",
  description:
    "Does the same to many leads. By a filter: first a dry run, then dry_run: false with its expected_count, which fails if " +
    "the number has changed. Above 10,000, a job does it. Before a deletion or a change of more than 50, the user is asked.",
  input: BulkArguments,
  needs: "leads:write",
  alsoNeeds: "leads:read",
  view: VIEWS.change,
  destructive: true,
  path: patchPath,
  taskOf: jobIn,
  check: (args) => [...whichFaults(args), ...whatFaults(args), ...countFaults(args)],
  async run(call, args) {
    if (args.leads !== undefined) return await changeNamed(call, args, args.leads);
    const { service, caller } = call;
    const {
      action,
      tags,
      dry_run: dry = true,
      expected_count: expected,
      set,
      clear,
      leads: _,
      ...selection
    } = args;
    const input = {
      ...(await whatOf(call, args)),
      filter: { and: [] },
      ...(await selectionOf(call, selection)),
      ...(dry || expected === undefined ? {} : { expected_count: expected }),
    };
    if (dry) {
      const preview = await perform(service, previewBulk, caller, { ...input, dry_run: true }, call);
      return rehearsed(preview, await withOwnerNames(call, sampleOf(preview.sample)));
    }
    return await worked(call, {
      operation: bulkLeads,
      input,
      title: `${VERBS[action]} ${counted(expected ?? 0)}?`,
      asks: action === "delete" || (expected ?? 0) > MOST_UNASKED,
      waiting: call,
      toAnswer(done) {
        if ("job" in done) return leftToWorker(done.job.id, expected ?? 0);
        if ("results" in done) throw new Error("a change by filter answered items");
        const { matched, updated, unchanged, failed } = done;
        return { dry_run: false, matched, updated, unchanged, failed, untrusted_content: [] };
      },
    });
  },
});

/** Changes the leads that a call names, one by one: one that is gone does not affect the others. */
async function changeNamed(call: Call, args: Given, leads: readonly string[]): Promise<object | Questions> {
  const { action, dry_run: dry = false } = args;
  const ids = await leadsNamed(call, leads, (i) => `$.leads[${i}]`);
  const failed = ids.flatMap((id, index) => (id instanceof Refusal ? [{ index, refusal: id }] : []));
  const known = ids.flatMap((id, index) => (id instanceof Refusal ? [] : [{ id, index }]));
  if (known.length === 0) throw failed[0]?.refusal ?? malformed([]);
  const input = { ...(await whatOf(call, args)), items: known.map(({ id }) => ({ id })) };
  const toAnswer = (done: Awaited<ReturnType<typeof bulkLeads.run>>): object => {
    if (!("results" in done)) throw new Error("a change of items answered no items");
    const results = done.results.map((result, i) => ({ ...result, index: known[i]?.index ?? i }));
    return { ...(dry ? { dry_run: true } : {}), ...itemsAnswer(results, failed, DONE[action]) };
  };
  if (dry) return toAnswer(await perform(call.service, bulkLeads, call.caller, { ...input, dry_run: true }));
  return await worked(call, {
    operation: bulkLeads,
    input,
    title: await titleOf(
      call,
      action,
      known.map(({ id }) => id),
    ),
    asks: action === "delete" || known.length > MOST_UNASKED,
    shows: true,
    toAnswer,
  });
}

/** The operation and what it sets. */
async function whatOf(call: Call, { action, tags, set, clear }: Given): Promise<object> {
  if (action !== "set") return { op: OPS[action], ...(tags === undefined ? {} : { tags }) };
  const [fields] =
    set === undefined ? [] : await withOwners(call, [set as Record<string, unknown>], () => "$.set");
  return { op: "set", set: toPatch({ ...(fields === undefined ? {} : { set: fields }), clear }) };
}

/** What an item is called that was changed. */
const DONE: Partial<Record<Given["action"], { updated: string }>> = {
  delete: { updated: "deleted" },
  restore: { updated: "restored" },
};

const VERBS: Record<Given["action"], string> = {
  set: "Change",
  add_tags: "Add tags to",
  remove_tags: "Remove tags from",
  delete: "Delete",
  restore: "Restore",
};

/** How many leads a question names. */
const NAMED = 10;

const counted = (count: number): string => (count === 1 ? "one lead" : `${count.toLocaleString("en")} leads`);

/** What a person is asked: the leads are named, as far as they can be read. */
async function titleOf(call: Call, action: Given["action"], ids: readonly string[]): Promise<string> {
  const names = await namesOfLeads(call, ids.slice(0, NAMED));
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "";
  return `${VERBS[action]} ${counted(ids.length)}: ${names.join(", ")}${more}?`;
}

function rehearsed(
  { matched, updated, unchanged, failed }: Omit<BulkPreview, "sample">,
  sample: object[],
): object {
  return {
    dry_run: true,
    matched,
    ...(updated === undefined ? {} : { updated, unchanged, failed }),
    sample,
    expected_count: matched,
    hint: "Nothing was changed. The same arguments with dry_run: false and this expected_count make the change.",
    untrusted_content: ["sample"],
  };
}

const leftToWorker = (id: string, matched: number): object => ({
  dry_run: false,
  matched,
  job_id: id,
  hint: "The leads are changed in the background, a thousand at a time. list_changes with id: job_id shows the progress.",
  untrusted_content: [],
});

function whichFaults({ filter, view, search, leads, action }: Given): Fault[] {
  const isSelected = filter !== undefined || view !== undefined || (search ?? "").trim() !== "";
  if (leads !== undefined && isSelected)
    return [
      { path: "$.leads", code: "unexpected", message: "is allowed only without filter, view and search" },
    ];
  if (leads !== undefined) return [];
  if (action === "restore")
    return [
      {
        path: "$.leads",
        code: "required",
        message: "is required for restore: deleted leads match no filter",
      },
    ];
  if (isSelected) return [];
  const message =
    "is required, or leads, view, or search; to change every lead, send a filter that matches all";
  return [{ path: "$.filter", code: "required", message }];
}

function whatFaults({ action, tags, set, clear }: Given): Fault[] {
  const tagging = action === "add_tags" || action === "remove_tags";
  const unexpected = (name: string, of: string): Fault => ({
    path: `$.${name}`,
    code: "unexpected",
    message: `is allowed only for ${of}`,
  });
  const faults = [
    ...(action === "set" || set === undefined ? [] : [unexpected("set", "set")]),
    ...(action === "set" || clear === undefined ? [] : [unexpected("clear", "set")]),
    ...(tagging || tags === undefined ? [] : [unexpected("tags", "add_tags and remove_tags")]),
  ];
  if (faults.length > 0) return faults;
  if (action === "set") return patchFaults({ set, clear });
  return tagging && tags === undefined
    ? [{ path: "$.tags", code: "required", message: `is required for ${action}` }]
    : [];
}

function countFaults({ dry_run: dry = true, expected_count: expected, leads }: Given): Fault[] {
  if (leads !== undefined) {
    if (expected === undefined) return [];
    return [
      {
        path: "$.expected_count",
        code: "unexpected",
        message: "is allowed only with a filter, view or search",
      },
    ];
  }
  if (dry || expected !== undefined) return [];
  const message = "is required with dry_run: false; a dry run returns it";
  return [{ path: "$.expected_count", code: "required", message }];
}
