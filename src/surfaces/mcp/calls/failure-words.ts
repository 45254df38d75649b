import type { Refusal } from "../../../core/refusal.ts";

/** What an assistant can do about a refusal, by its code. */
const NEXT: Readonly<Record<string, string>> = {
  merged: "Use the lead that details name: it has the fields and the timeline of both.",
  stale:
    "Read the lead again with get_lead, see what changed, and send the version it has now as expected_version.",
  duplicate:
    "Read the lead that details name with get_lead and change it with update_lead, or call again with on_duplicate: " +
    "return or update.",
  ambiguous: "Choose one of the leads in details by its id; find_duplicates shows why they look alike.",
  count_changed:
    "Rehearse again with dry_run: true, look at the sample, and send the expected_count it answers.",
  not_confirmed:
    "Ask the person whether this lead should be deleted; if they agree, call again with confirm: true.",
  too_many_exports:
    "Wait until one of the exports is done; its resource leads://exports/{export_id} says so.",
  too_many_jobs: "Wait until one of the changes in the background is done.",
  too_many_tags: "Remove tags that are not needed before adding others.",
  too_slow: "Narrow the filter, for example by created_at or status, and call again.",
  internal: "Try once more; if it fails again, give the person the request_id for support.",
};

/** How a thing that is not there can be found, by the noun of the refusal's message. */
const FIND: readonly [noun: string, step: string][] = [
  ["dataset", "list_datasets names the datasets of the project; use an id or key it answers."],
  ["row", "read_dataset answers the rows with their _id."],
  ["export", "export_leads starts one and answers its id."],
];

const FIND_LEAD = "Find the lead with query_leads or search and use the id it answers.";

/** The next step after a refusal. */
export function nextStep({ code, message, retryAfter }: Refusal): string {
  if (code === "not_found") return FIND.find(([noun]) => message.includes(`such ${noun}`))?.[1] ?? FIND_LEAD;
  const wait = retryAfter === undefined ? undefined : `Wait ${retryAfter} s and call again.`;
  return NEXT[code] ?? wait ?? "Correct the arguments and call again.";
}
