import { getLeadTool } from "./get-lead.ts";
import { queryLeadsTool } from "./query-leads.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [queryLeadsTool, getLeadTool];

/** The tools as `tools/list` shows them, computed once. */
export const TOOL_LIST: readonly object[] = TOOLS.map(
  ({ name, title, description, input, output, needs }) => ({
    name,
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    annotations: {
      title,
      readOnlyHint: needs.endsWith(":read"),
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }),
);
