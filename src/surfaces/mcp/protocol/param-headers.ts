import type { IncomingHttpHeaders } from "node:http";
import { headerText } from "./header-value.ts";
import { isObject } from "./message.ts";
import { CODE, RpcError } from "./rpc-error.ts";

/** A tool argument that clients repeat in a header (MCP 2026-07-28, Streamable HTTP, custom headers). */
export interface ParamHeader {
  /** `Mcp-Param-{name}` in lower case. */
  header: string;
  path: readonly string[];
  whole: boolean;
}

/** Returns the arguments that a tool's schema marks with `x-mcp-header`, at any depth of properties. */
export function paramHeadersOf(schema: object, path: readonly string[] = []): ParamHeader[] {
  const { properties } = schema as { properties?: Record<string, Marked> };
  return Object.entries(properties ?? {}).flatMap(([key, property]) => {
    const here = [...path, key];
    const mark = property["x-mcp-header"];
    const own =
      mark === undefined
        ? []
        : [{ header: `mcp-param-${mark.toLowerCase()}`, path: here, whole: property.type === "integer" }];
    return [...own, ...paramHeadersOf(property, here)];
  });
}

interface Marked {
  type?: string;
  "x-mcp-header"?: string;
}

/** -32020 if a marked argument and its header differ; null or absent arguments need no header. */
export function checkParamHeaders(
  marked: readonly ParamHeader[],
  args: Record<string, unknown>,
  headers: IncomingHttpHeaders,
): void {
  for (const { header, path, whole } of marked) {
    const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), args);
    if (!["string", "number", "boolean"].includes(typeof value)) continue;
    const sent = headers[header];
    const text = typeof sent === "string" ? headerText(sent) : undefined;
    const same =
      text === String(value) ||
      (whole && text !== undefined && /^-?\d+(\.\d+)?$/.test(text) && Number(text) === value);
    if (!same) {
      const why = `Header mismatch: ${header} must repeat the argument ${path.join(".")}.`;
      throw new RpcError(CODE.headerMismatch, why);
    }
  }
}
