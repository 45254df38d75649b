import { join } from "node:path";
import type { Host, Setting } from "../support/host.ts";

const inspector = (setting: Setting, ...words: string[]) =>
  setting.run(
    [
      ...["node", join(setting.folder, "node_modules/.bin/mcp-inspector"), "--cli", setting.url],
      ...["--transport", "http", ...words],
    ],
    { env: { MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" } },
  );

export const inspectorCli: Host = {
  name: "MCP Inspector",
  package: "@modelcontextprotocol/inspector",
  version: "2.12.0",
  calls: "command",
  // The URL is given with each command.
  add: async () => ({ code: 0, out: "" }),
  list: (setting) => inspector(setting, "--method", "tools/list"),
  call: (setting, tool, args) =>
    inspector(
      setting,
      ...["--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args)],
    ),
};
