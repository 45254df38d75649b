import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Host, Setting } from "../support/host.ts";
import type { Ended } from "../support/program.ts";

const LIMIT_MS = 45_000;

/** Starts mcp-remote as an assistant does that can only start programs, uses it once and ends it. */
async function using(setting: Setting, use: (client: Client) => Promise<unknown>): Promise<Ended> {
  const transport = new StdioClientTransport({
    command: "node",
    args: [
      join(setting.folder, "node_modules/mcp-remote/dist/proxy.js"),
      ...[setting.url, "--transport", "http-only"],
    ],
    env: setting.env,
    stderr: "pipe",
  });
  let out = "";
  transport.stderr?.on("data", (data: Buffer) => {
    out += data.toString();
  });
  const client = new Client({ name: "assistant", version: "1" });
  const within = { timeout: LIMIT_MS };
  try {
    await client.connect(transport, within);
    return { code: 0, out: out + JSON.stringify(await use(client)) };
  } catch (error) {
    return { code: 1, out: out + String(error) };
  } finally {
    await client.close();
  }
}

export const mcpRemote: Host = {
  name: "mcp-remote",
  package: "mcp-remote",
  version: "0.15.1",
  calls: "command",
  // An assistant's settings name its command; there is nothing to add.
  add: async () => ({ code: 0, out: "" }),
  list: (setting) => using(setting, (client) => client.listTools()),
  call: (setting, name, args) =>
    using(setting, (client) =>
      client.callTool({ name, arguments: { ...args } }, undefined, { timeout: LIMIT_MS }),
    ),
};
