import type { Tool } from "../registry.ts";
import { addLeadEventTool } from "./add-lead-event.ts";
import { bulkUpdateLeadsTool } from "./bulk-update-leads.ts";
import { createLeadTool } from "./create-lead.ts";
import { deleteLeadTool } from "./delete-lead.ts";
import { exportLeadsTool } from "./export-leads.ts";
import { fetchTool } from "./fetch.ts";
import { findDuplicatesTool } from "./find-duplicates.ts";
import { getContextTool } from "./get-context.ts";
import { getLeadTool } from "./get-lead.ts";
import { getLeadTimelineTool } from "./get-lead-timeline.ts";
import { listDatasetsTool } from "./list-datasets.ts";
import { queryLeadsTool } from "./query-leads.ts";
import { readDatasetTool } from "./read-dataset.ts";
import { searchTool } from "./search.ts";
import { summarizeLeadsTool } from "./summarize-leads.ts";
import { updateLeadTool } from "./update-lead.ts";
import { writeDatasetTool } from "./write-dataset.ts";

/** Every tool of the service, those that read first. */
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
