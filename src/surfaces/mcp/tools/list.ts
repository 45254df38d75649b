import type { Tool } from "../protocol/registry.ts";
import { TOOLS_IN } from "./all.ts";

/** The order in which assistants are shown the tools; one that is not named comes last of its kind. */
const ORDER = [
  ...["get_context", "find_leads", "get_lead", "list_changes", "summarize_leads", "find_duplicates"],
  ...["export_leads", "read_dataset", "write_leads", "bulk_update_leads", "merge_leads", "log_events"],
  ...["undo", "save_view", "write_dataset", "search", "fetch", "query_leads", "get_lead_timeline"],
  ...["list_datasets", "create_lead", "update_lead", "delete_lead", "add_lead_event"],
];

const rankOf = ({ name }: Tool): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
const inOrder = (tools: readonly Tool[]): readonly Tool[] => tools.toSorted((a, b) => rankOf(a) - rankOf(b));

/** `search` has the shapes that ChatGPT's connectors expect; applications may still call those of `former` by name. */
const { search, former, datasets, ...ofLeads } = TOOLS_IN;
const current = [...Object.values(ofLeads).flat(), ...datasets];

const reads = ({ needs }: Tool): boolean => needs.endsWith(":read");
const reading = inOrder(current.filter(reads));
const writing = inOrder(current.filter((tool) => !reads(tool)));

/** Every tool of the service, reading tools first. */
export const TOOLS: readonly Tool[] = [...reading, ...writing, ...inOrder(search), ...inOrder(former)];

const namesOf = (tools: readonly Tool[], ...more: string[]): string[] => [
  ...tools.map(({ name }) => name),
  ...more,
];

/** What `/mcp?tools=<set>` lists. */
export const TOOL_SETS: Readonly<Record<string, readonly string[]>> = {
  default: namesOf(current),
  read: namesOf(reading),
  leads: namesOf(Object.values(ofLeads).flat()),
  datasets: namesOf(datasets, "get_context"),
  search: namesOf(search),
  former: namesOf(former, "get_lead"),
};
