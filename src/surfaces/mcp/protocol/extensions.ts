import { isObject } from "./message.ts";
import { META } from "./revisions.ts";
import { CODE, RpcError } from "./rpc-error.ts";

/** Work that goes on after its call (https://modelcontextprotocol.github.io/ext-tasks, revision 2026-07-28). */
export const TASKS = "io.modelcontextprotocol/tasks";

/** Whether a request's client declares an extension (MCP 2026-07-28, ClientCapabilities, extensions). */
export function declares({ _meta: meta }: Record<string, unknown>, extension: string): boolean {
  const capabilities = isObject(meta) ? meta[META.capabilities] : undefined;
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined;
  return isObject(extensions) && isObject(extensions[extension]);
}

/** -32021 if a request's client does not declare an extension that it needs. */
export function mustDeclare(params: Record<string, unknown>, extension: string): void {
  if (declares(params, extension)) return;
  throw new RpcError(CODE.missingCapability, `This request needs a client that declares ${extension}.`, {
    data: { requiredCapabilities: { extensions: { [extension]: {} } } },
  });
}
