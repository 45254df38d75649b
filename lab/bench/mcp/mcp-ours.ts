import type { IncomingMessage, ServerResponse } from "node:http";
import { newId } from "../../../src/core/id.ts";
import type { Service } from "../../../src/domain/operation/service/service.ts";
import { dispatcherOf } from "../../../src/surfaces/mcp/calls/dispatch.ts";
import { Streams } from "../../../src/surfaces/mcp/calls/listen.ts";
import { bearerOf } from "../../../src/surfaces/mcp/protocol/bearer.ts";
import { catalogueOf } from "../../../src/surfaces/mcp/protocol/catalogue.ts";
import type { Asked } from "../../../src/surfaces/mcp/protocol/exchange.ts";
import { answerPost } from "../../../src/surfaces/mcp/transport/post.ts";
import { CHECKED, OFFERED } from "./mcp-tools.ts";

const ANYBODY = { kind: "token", projectId: "", hash: Buffer.alloc(32) } as const;

/** Our dispatcher behind a plain Node server, like the SDKs. */
export function ours(service: Service, checked: boolean) {
  const registry = checked ? CHECKED : OFFERED;
  const catalogue = catalogueOf(registry);
  const dispatcher = dispatcherOf(registry, new Streams());
  const answer = async (raw: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const request = { id: newId("req"), method: "POST", headers: raw.headers, body, raw, log: service.log };
    const caller = checked ? bearerOf(request) : ANYBODY;
    const exchange = { service, request: request as Asked, caller, catalogue, modern: false };
    const reply = await answerPost(exchange, dispatcher);
    const json = reply.body as string | Buffer;
    const length = typeof json === "string" ? Buffer.byteLength(json) : json.length;
    response.writeHead(reply.status, { "content-type": "application/json", "content-length": length });
    response.end(json);
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [first = Buffer.alloc(0), ...more] = chunks;
      void answer(request, response, more.length === 0 ? first : Buffer.concat(chunks));
    });
  };
}
