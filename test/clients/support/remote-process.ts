import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { fetchPackage } from "../../packages/fetch-package.ts";
import type { World } from "../../world.ts";

const { skip, folder: remote } = await fetchPackage("mcp-remote", "mcp-remote");
const PROXY = join(remote, "dist/proxy.js");

/** Why mcp-remote cannot be started here, or false. */
export const noRemote = skip;

/** Starts mcp-remote as a desktop assistant does: a process that speaks MCP over its standard streams. */
export async function started(the: World, folder: string, port: number) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROXY, `${the.authUrl}/mcp`, String(port), "--transport", "http-only"],
    env: { PATH: process.env.PATH ?? "", HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, BROWSER: "true" },
    stderr: "pipe",
  });
  let printed = "";
  transport.stderr?.on("data", (data: Buffer) => {
    printed += data.toString();
  });
  const client = new Client({ name: "desktop", version: "1" });
  /** Returns the URL that it asks the person to open; undefined until it does. */
  const asked = (): URL | undefined =>
    URL.parse(/visiting:\s+(http\S+)/.exec(printed)?.[1] ?? "") ?? undefined;
  return { client, transport, asked, printed: () => printed };
}

/** Waits for something that a process is about to do. */
export async function until<T>(
  found: () => T | undefined | Promise<T | undefined>,
  what: () => string,
): Promise<T> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const value = await found();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it did not happen: ${what()}`);
}
