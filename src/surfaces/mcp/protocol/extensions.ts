import { isObject } from "./message.ts";
import { META } from "./revisions.ts";
import { CODE, RpcError } from "./rpc-error.ts";

/** Work that goes on after its call (https://modelcontextprotocol.github.io/ext-tasks, revision 2026-07-28). */
export const TASKS = "io.modelcontextprotocol/tasks";

/** Views of answers in the conversation (https://github.com/modelcontextprotocol/ext-apps, revision 2026-01-26). */
export const UI = "io.modelcontextprotocol/ui";

/** The type of a view's document. */
export const VIEW_TYPE = "text/html;profile=mcp-app";

/** Whether a request's client declares an extension (MCP 2026-07-28, ClientCapabilities, extensions). */
export const declares = (params: Record<string, unknown>, extension: string): boolean =>
  settingsOf(params, extension) !== undefined;

/** Whether a request's client shows views: it declares UI, and names our type if it names any (McpUiClientCapabilities). */
export function showsViews(params: Record<string, unknown>): boolean {
  const { mimeTypes: types } = settingsOf(params, UI) ?? { mimeTypes: [] };
  return types === undefined || (Array.isArray(types) && types.includes(VIEW_TYPE));
}

function settingsOf(
  { _meta: meta }: Record<string, unknown>,
  extension: string,
): Record<string, unknown> | undefined {
  const capabilities = isObject(meta) ? meta[META.capabilities] : undefined;
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined;
  const settings = isObject(extensions) ? extensions[extension] : undefined;
  return isObject(settings) ? settings : undefined;
}

/** -32021 if a request's client does not declare an extension that it needs. */
export function mustDeclare(params: Record<string, unknown>, extension: string): void {
  if (declares(params, extension)) return;
  throw new RpcError(CODE.missingCapability, `This request needs a client that declares ${extension}.`, {
    data: { requiredCapabilities: { extensions: { [extension]: {} } } },
  });
}
