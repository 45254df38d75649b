import { LEADS } from "../surfaces/mcp/registry-of-leads.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/** At most 100 characters. */
const DESCRIPTION = "Sales leads of a project: find, summarize and change them; people approve and undo.";

/** Returns the entry of an installation in the MCP registry (server.json, schema of 2025-12-11). */
export function serverJson(name: string, authUrl: string): object {
  const { title, version } = LEADS.server;
  return {
    $schema: SCHEMA,
    ...{ name, title, description: DESCRIPTION, version },
    ...LEADS.presentedAt?.(authUrl),
    remotes: [{ type: "streamable-http", url: `${authUrl}/mcp` }],
  };
}
