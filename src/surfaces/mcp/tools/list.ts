import type { Tool } from "../protocol/registry.ts";
import { bulkUpdateLeadsTool } from "./bulk/bulk-update-leads.ts";
import { getContextTool } from "./context/get-context.ts";
import { listDatasetsTool } from "./datasets/list-datasets.ts";
import { readDatasetTool } from "./datasets/read-dataset.ts";
import { writeDatasetTool } from "./datasets/write-dataset.ts";
import { createLeadTool } from "./leads/create-lead.ts";
import { deleteLeadTool } from "./leads/delete-lead.ts";
import { exportLeadsTool } from "./leads/export-leads.ts";
import { fetchTool } from "./leads/fetch.ts";
import { findDuplicatesTool } from "./leads/find-duplicates.ts";
import { getLeadTool } from "./leads/get-lead.ts";
import { queryLeadsTool } from "./leads/query-leads.ts";
import { searchTool } from "./leads/search.ts";
import { summarizeLeadsTool } from "./leads/summarize-leads.ts";
import { updateLeadTool } from "./leads/update-lead.ts";
import { addLeadEventTool } from "./timeline/add-lead-event.ts";
import { getLeadTimelineTool } from "./timeline/get-lead-timeline.ts";

/** Every tool of the service, reading tools first. */
export const TOOLS: readonly Tool[] = [
  getContextTool,
  queryLeadsTool,
  getLeadTool,
  getLeadTimelineTool,
  summarizeLeadsTool,
  findDuplicatesTool,
  exportLeadsTool,
  listDatasetsTool,
  readDatasetTool,
  searchTool,
  fetchTool,
  createLeadTool,
  updateLeadTool,
  addLeadEventTool,
  bulkUpdateLeadsTool,
  deleteLeadTool,
  writeDatasetTool,
];
