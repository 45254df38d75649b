import type { Service } from "../../../domain/operation/service/service.ts";

/** Whether a resource indicator (RFC 8707 2) names this service, by its URL or its MCP server's. */
export function isOurResource({ config: { authUrl } }: Service, resource: string): boolean {
  const plain = resource.endsWith("/") ? resource.slice(0, -1) : resource;
  return plain === authUrl || plain === `${authUrl}/mcp`;
}
