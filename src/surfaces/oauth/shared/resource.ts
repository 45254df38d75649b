import type { Service } from "../../../domain/operation/service/service.ts";

/**
 * Whether all resource indicators (RFC 8707 2) name this service, by its URL or its MCP server's. Empty ones count as
 * left out.
 */
export const areOurResources = (service: Service, resources: readonly string[] = []): boolean =>
  resources.every((resource) => resource === "" || isOurs(service, resource));

function isOurs({ config: { authUrl } }: Service, resource: string): boolean {
  const plain = resource.endsWith("/") ? resource.slice(0, -1) : resource;
  return plain === authUrl || plain === `${authUrl}/mcp`;
}
