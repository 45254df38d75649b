// Written by npm run fix: what the files of this folder export.
import { bulkUpdateLeadsTool } from "./bulk/bulk-update-leads.ts";
import { listChangesTool } from "./changes/list-changes.ts";
import { undoTool } from "./changes/undo.ts";
import { getContextTool } from "./context/get-context.ts";
import { readDatasetTool } from "./datasets/read-dataset.ts";
import { writeDatasetTool } from "./datasets/write-dataset.ts";
import { addLeadEventTool } from "./former/add-lead-event.ts";
import { createLeadTool } from "./former/create-lead.ts";
import { deleteLeadTool } from "./former/delete-lead.ts";
import { getLeadTimelineTool } from "./former/get-lead-timeline.ts";
import { listDatasetsTool } from "./former/list-datasets.ts";
import { queryLeadsTool } from "./former/query-leads.ts";
import { updateLeadTool } from "./former/update-lead.ts";
import { exportLeadsTool } from "./leads/export-leads.ts";
import { findDuplicatesTool } from "./leads/find-duplicates.ts";
import { findLeadsTool } from "./leads/find-leads.ts";
import { getLeadTool } from "./leads/get-lead.ts";
import { mergeLeadsTool } from "./leads/merge-leads.ts";
import { saveViewTool } from "./leads/save-view.ts";
import { summarizeLeadsTool } from "./leads/summarize-leads.ts";
import { writeLeadsTool } from "./leads/write-leads.ts";
import { fetchTool } from "./search/fetch.ts";
import { searchTool } from "./search/search.ts";
import { logEventsTool } from "./timeline/log-events.ts";

/** The tools by their folder. */
export const TOOLS_IN = {
  bulk: [
    bulkUpdateLeadsTool,
  ],
  changes: [
    listChangesTool,
    undoTool,
  ],
  context: [
    getContextTool,
  ],
  datasets: [
    readDatasetTool,
    writeDatasetTool,
  ],
  former: [
    addLeadEventTool,
    createLeadTool,
    deleteLeadTool,
    getLeadTimelineTool,
    listDatasetsTool,
    queryLeadsTool,
    updateLeadTool,
  ],
  leads: [
    exportLeadsTool,
    findDuplicatesTool,
    findLeadsTool,
    getLeadTool,
    mergeLeadsTool,
    saveViewTool,
    summarizeLeadsTool,
    writeLeadsTool,
  ],
  search: [
    fetchTool,
    searchTool,
  ],
  timeline: [
    logEventsTool,
  ],
};
