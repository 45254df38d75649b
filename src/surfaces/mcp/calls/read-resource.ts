import { allowed, checkCaller } from "../protocol/allowed.ts";
import type { Exchange } from "../protocol/exchange.ts";
import type { Call, Resource, ResourceContent, ResourceTemplate } from "../protocol/registry.ts";
import { complete } from "../protocol/result.ts";
import { badParams, CODE, RpcError } from "../protocol/rpc-error.ts";
import { asking } from "./asking.ts";
import { protocolFailure } from "./protocol-failure.ts";

/** What a URI stands for: a resource, or a template with its variables; undefined if neither. */
export interface Found {
  offered: Resource | ResourceTemplate;
  /** The lead that it is about, if it is about one. */
  leadId?: string | undefined;
  read(call: Call): Promise<ResourceContent | undefined>;
}

export function findResource({ catalogue }: Exchange, uri: string): Found | undefined {
  const [, beginning = uri, offset = "0"] = /^([^?]+)\?offset=(\d{1,15})$/.exec(uri) ?? [];
  const resource = catalogue.resources.get(beginning);
  if (resource !== undefined && (beginning === uri || resource.paged === true)) {
    return { offered: resource, read: (call) => resource.read(call, Number(offset)) };
  }
  for (const template of catalogue.templates) {
    const variables = template.match(uri);
    if (variables !== undefined) {
      const leadId = template.leadOf?.(variables);
      return { offered: template, leadId, read: (call) => template.read(call, variables) };
    }
  }
  return undefined;
}

/** `resources/read`. The content may change at any time: `ttlMs` is 0. */
export async function readResource(exchange: Exchange, params: Record<string, unknown>): Promise<string> {
  const { uri } = params;
  if (typeof uri !== "string") throw badParams("uri must be a string");
  const found = findResource(exchange, uri);
  if (found === undefined) throw unknownResource(exchange, uri);
  try {
    await allowed(exchange, found.offered);
    const asked = await asking(exchange, "resources/read", params, found.offered, (call) => found.read(call));
    if ("required" in asked) return asked.required;
    const { outcome: content } = asked;
    if (content === undefined) throw unknownResource(exchange, uri);
    const { mimeType } = found.offered;
    const contents = JSON.stringify([{ uri, mimeType, ...content }]);
    const cached = exchange.modern ? `,"ttlMs":0,"cacheScope":"private"` : "";
    return complete(exchange, `"contents":${contents}${cached}`);
  } catch (error) {
    const failure = protocolFailure(error, exchange);
    if (failure instanceof RpcError) await checkCaller(exchange, found.offered);
    throw failure;
  }
}

/** -32602 with the URI since 2026-07-28, -32002 before (Resources, error handling). */
function unknownResource({ modern }: Exchange, uri: string): RpcError {
  const code = modern ? CODE.badParams : CODE.noResource;
  return new RpcError(code, "Resource not found", { status: 200, data: { uri } });
}
