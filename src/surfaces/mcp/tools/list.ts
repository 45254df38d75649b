import type { Tool } from "../protocol/registry.ts";
import { bulkUpdateLeadsTool } from "./bulk/bulk-update-leads.ts";
import { listChangesTool } from "./changes/list-changes.ts";
import { undoTool } from "./changes/undo.ts";
import { getContextTool } from "./context/get-context.ts";
import { readDatasetTool } from "./datasets/read-dataset.ts";
import { writeDatasetTool } from "./datasets/write-dataset.ts";
import { addLeadEventTool } from "./former/add-lead-event.ts";
import { createLeadTool } from "./former/create-lead.ts";
import { deleteLeadTool } from "./former/delete-lead.ts";
import { fetchTool } from "./former/fetch.ts";
import { getLeadTimelineTool } from "./former/get-lead-timeline.ts";
import { listDatasetsTool } from "./former/list-datasets.ts";
import { queryLeadsTool } from "./former/query-leads.ts";
import { searchTool } from "./former/search.ts";
import { updateLeadTool } from "./former/update-lead.ts";
import { exportLeadsTool } from "./leads/export-leads.ts";
import { findDuplicatesTool } from "./leads/find-duplicates.ts";
import { findLeadsTool } from "./leads/find-leads.ts";
import { getLeadTool } from "./leads/get-lead.ts";
import { mergeLeadsTool } from "./leads/merge-leads.ts";
import { saveViewTool } from "./leads/save-view.ts";
import { summarizeLeadsTool } from "./leads/summarize-leads.ts";
import { writeLeadsTool } from "./leads/write-leads.ts";
import { logEventsTool } from "./timeline/log-events.ts";

const READING = [
  getContextTool,
  findLeadsTool,
  getLeadTool,
  listChangesTool,
  summarizeLeadsTool,
  findDuplicatesTool,
  exportLeadsTool,
];
const WRITING = [writeLeadsTool, bulkUpdateLeadsTool, mergeLeadsTool, logEventsTool, undoTool, saveViewTool];
const DATASETS = [readDatasetTool, writeDatasetTool];

/** The shapes that ChatGPT's connectors and deep research expect. */
const SEARCH = [searchTool, fetchTool];

/** Tools of before that applications may still call by name: other tools do their work now. */
const FORMER = [
  queryLeadsTool,
  getLeadTimelineTool,
  listDatasetsTool,
  createLeadTool,
  updateLeadTool,
  deleteLeadTool,
  addLeadEventTool,
];

/** Every tool of the service, reading tools first. */
export const TOOLS: readonly Tool[] = [
  ...READING,
  readDatasetTool,
  ...WRITING,
  writeDatasetTool,
  ...SEARCH,
  ...FORMER,
];

const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

/** What `/mcp?tools=<set>` lists. */
export const TOOL_SETS: Readonly<Record<string, readonly string[]>> = {
  default: namesOf([...READING, ...WRITING, ...DATASETS]),
  read: namesOf([...READING, readDatasetTool]),
  leads: namesOf([...READING, ...WRITING]),
  datasets: namesOf([getContextTool, ...DATASETS]),
  search: namesOf(SEARCH),
  former: namesOf([...FORMER, getLeadTool]),
};
