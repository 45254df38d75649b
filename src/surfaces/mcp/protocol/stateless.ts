import type { IncomingHttpHeaders } from "node:http";
import { headerText } from "./header-value.ts";
import { isObject, type Message } from "./message.ts";
import { META, MODERN } from "./revisions.ts";
import { CODE, RpcError } from "./rpc-error.ts";

type Request = Extract<Message, { kind: "request" }>;

/** The body member that `Mcp-Name` repeats, by method. */
const NAMED: Record<string, string> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/**
 * Whether a message is of the stateless revision, by its `_meta` or its version header. If only one is there,
 * the message is invalid in that revision rather than of an earlier one.
 */
export function isStateless(message: Message, versionHeader: unknown): boolean {
  if (versionHeader === MODERN) return true;
  return (
    message.kind !== "response" && isObject(message.params._meta) && META.version in message.params._meta
  );
}

/**
 * Checks what every 2026-07-28 request carries: the version, the capabilities, and the headers that repeat
 * its body.
 */
export function checkEnvelope(request: Request, headers: IncomingHttpHeaders): void {
  const meta = isObject(request.params._meta) ? request.params._meta : {};
  const version = meta[META.version];
  const header = headers["mcp-protocol-version"];
  if (typeof version !== "string") throw badMeta(META.version, "a protocol version");
  if (header !== undefined && header !== version)
    throw mismatch("MCP-Protocol-Version", `_meta says ${version}`);
  if (version !== MODERN) throw unknownVersion(version);
  if (!isObject(meta[META.capabilities])) throw badMeta(META.capabilities, "an object");
  if (header === undefined) throw mismatch("MCP-Protocol-Version", "it is missing");
  if (headers["mcp-method"] !== request.method)
    throw mismatch("Mcp-Method", `the body's method is ${request.method}`);
  checkName(request, headers["mcp-name"]);
}

function checkName(request: Request, header: string | string[] | undefined): void {
  const source = NAMED[request.method];
  const name = source === undefined ? undefined : request.params[source];
  if (typeof name !== "string") return;
  if (typeof header !== "string" || headerText(header) !== name)
    throw mismatch("Mcp-Name", `params.${source} is ${name}`);
}

/** -32022 with the supported versions. */
export function unknownVersion(requested: string, supported: readonly string[] = [MODERN]): RpcError {
  return new RpcError(CODE.unknownVersion, `Unsupported protocol version: ${requested.slice(0, 100)}`, {
    data: { supported, requested: requested.slice(0, 100) },
  });
}

const badMeta = (key: string, what: string): RpcError =>
  new RpcError(CODE.badParams, `Invalid params: params._meta["${key}"] must be ${what}.`);

const mismatch = (header: string, why: string): RpcError =>
  new RpcError(CODE.headerMismatch, `Header mismatch: ${header} must repeat the body, and ${why}.`);
