import { permissionsOfGrant } from "../../../core/permission.ts";
import { describeToken } from "../../../domain/grants/check-token.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { isOffered } from "../protocol/catalogue.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { REVISIONS } from "../protocol/revisions.ts";
import { shownText } from "../protocol/shown-text.ts";

/** Answers GET: a description to a plain call; 405 to a request for a stream, which is not offered. */
export async function answerGet({
  service,
  request,
  caller,
  catalogue,
  narrowed = catalogue.offer,
}: Exchange): Promise<Reply> {
  const standing = await perform(service, describeToken, caller, {});
  if (wantsStreamOnly(request.headers.accept)) return NOT_ALLOWED;
  const permissions = permissionsOfGrant(standing.scopes, standing.role);
  const { server, tools } = catalogue.registry;
  const description = {
    ...server,
    description: "MCP over Streamable HTTP: POST JSON-RPC messages to this URL.",
    protocol_versions: REVISIONS,
    scopes: standing.scopes,
    project: { id: standing.projectId, name: standing.projectName },
    person: { name: standing.personName },
    tools: tools
      .filter((tool) => narrowed.names.has(tool.name) && isOffered(tool, permissions))
      .map(({ name, title }) => ({ name, title })),
  };
  return ok(shownText(JSON.stringify(description)));
}

/** Answers methods that only other kinds of servers support, such as those with sessions. */
export const NOT_ALLOWED: Reply = { status: 405, headers: { Allow: "GET, HEAD, POST, OPTIONS" } };

function wantsStreamOnly(accept = "*/*"): boolean {
  const types = accept.split(",").map((type) => type.split(";")[0]?.trim().toLowerCase());
  return types.includes("text/event-stream") && !types.includes("application/json");
}
