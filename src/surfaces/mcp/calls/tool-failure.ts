import type { Fault, Refusal } from "../../../core/refusal.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import type { Asked } from "../protocol/exchange.ts";
import { assistantPath } from "../tools/shared/filter.ts";

/** The result of a failed tool call: what failed, why, what to do next, and the id to quote to support. */
interface Failure {
  what: string;
  why: string;
  next_step: string;
  request_id: string;
  details?: Fault[];
}

/** Returns a failure as a tool result. */
function failed(failure: Failure): object {
  return { content: [{ type: "text", text: JSON.stringify(failure) }], isError: true };
}

/** Returns invalid arguments as a tool result, each with its path and error. */
export function inputFailure(faults: readonly Fault[], requestId: string): object {
  const details = faults.map((fault) => ({ ...fault, path: assistantPath(fault.path) }));
  return failed({
    what: "The arguments are invalid; nothing was read or changed.",
    why: details.map(({ path, message }) => `${path} ${message}`).join("; "),
    next_step: "Correct the arguments named in details, following the tool's inputSchema, and call again.",
    request_id: requestId,
    details,
  });
}

/** What an assistant can do about a refusal, by code. */
const NEXT: Readonly<Record<string, string>> = {
  merged: "Use the lead named in details: it has the fields and the timeline of both.",
  stale:
    "Read the lead again with get_lead, check what changed, and send its current version as expected_version.",
  duplicate:
    "Read the lead named in details with get_lead and change it with update_lead, or call again with on_duplicate: " +
    "return or update.",
  ambiguous: "Choose one of the leads in details by its id; find_duplicates shows why they are similar.",
  needs_approval:
    "The user lets this application propose changes only: use write_leads, bulk_update_leads, merge_leads, log_events, undo, " +
    "write_dataset or save_view, which return a link where the user approves.",
  nothing_to_approve: "Nothing would change: tell the user that it is so already.",
  too_many_approvals: "Ask the user to approve or decline the changes that wait at the links given before.",
  no_lead:
    "Find the lead with find_leads, by a part of its name with search, and use the id it returns. A lead that was merged or " +
    "deleted is among the events of list_changes with types lead.merged or lead.deleted.",
  several_leads:
    "Call again with the id of the lead in details that is meant; ask the user if what they said does not tell.",
  lead_exists: "Read the lead named in details with get_lead; action upsert changes it.",
  already_undone: "Nothing to do: list_changes shows which change undid it.",
  count_changed: "Call again with dry_run: true, check the sample, and send the expected_count it returns.",
  not_confirmed: "Ask the user whether to delete this lead; if they agree, call again with confirm: true.",
  too_many_exports:
    "Wait until one of the exports is done; its resource leads://exports/{export_id} has its state.",
  too_many_jobs: "Wait until one of the background changes is done.",
  too_many_tags: "Remove tags that are not needed before adding others.",
  too_slow: "Narrow the filter, for example by created_at or status, and call again.",
  storage_full: "Tell the user that nothing can be stored at the moment; reading still works.",
  read_only: "Tell the user that nothing can be stored at the moment; reading still works.",
  internal: "Try once more; if it fails again, give the user the request_id for support.",
};

/** How to find a thing that does not exist, by the noun in the refusal's message. */
const FIND: readonly [noun: string, step: string][] = [
  ["dataset", "read_dataset without dataset lists the project's datasets; use a key or id that it returns."],
  ["row", "read_dataset returns rows with their _id."],
  ["export", "export_leads starts one and returns its id."],
  ["change", "list_changes lists changes with their change_id."],
  ["job", "Use the job_id that a tool returned."],
];

const FIND_LEAD = "Find the lead with find_leads and use the id it returns.";

/** Returns the next step after a refusal. */
function nextStep({ code, message, retryAfter }: Refusal): string {
  if (code === "not_found") return FIND.find(([noun]) => message.includes(`such ${noun}`))?.[1] ?? FIND_LEAD;
  const wait = retryAfter === undefined ? undefined : `Wait ${retryAfter} s, then call again once.`;
  return NEXT[code] ?? wait ?? "Correct the arguments and call again.";
}

/**
 * Returns a failed call as a result that the model can act on; internals go to the log. Throws errors that
 * concern the token or the service as a whole (401, 403, an unreachable database), which are answered at the
 * HTTP level.
 */
export function toolFailure(error: unknown, request: Asked): object {
  const refusal = refusalOf(error);
  const { kind, code } = refusal;
  if (kind === "unauthenticated" || kind === "forbidden" || code === "database_away") throw error;
  if (refusal.cause !== undefined) request.log.error({ err: refusal.cause }, "tool failed");
  const badInput = kind === "malformed" || kind === "unprocessable";
  if (badInput && refusal.faults.length > 0) return inputFailure(refusal.faults, request.id);
  return failed({
    what: "The call failed.",
    why: refusal.message,
    next_step: nextStep(refusal),
    request_id: request.id,
    ...(refusal.faults.length > 0 ? { details: refusal.faults } : {}),
  });
}
