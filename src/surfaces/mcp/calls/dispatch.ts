import { checkToken } from "../../../domain/grants/check-token.ts";
import type { EventStream } from "../protocol/channel.ts";
import type { Exchange } from "../protocol/exchange.ts";
import type { Id, Message } from "../protocol/message.ts";
import type { Registry } from "../protocol/registry.ts";
import { isEarlier, REVISIONS } from "../protocol/revisions.ts";
import { CODE, RpcError } from "../protocol/rpc-error.ts";
import { resultBytes, resultText } from "../protocol/rpc-text.ts";
import { checkEnvelope, isStateless, unknownVersion } from "../protocol/stateless.ts";
import { listen, type Streams } from "./listen.ts";
import type { Method } from "./method.ts";
import { earlierMethods, statelessMethods } from "./methods.ts";

/** Handles messages of every revision. */
export interface Dispatcher {
  /**
   * Returns JSON, or a stream that stays open; undefined for messages without a response (JSON-RPC 2.0, 4.1).
   */
  dispatch(exchange: Exchange, message: Message): Promise<Answered>;
}

/** JSON as a string, or as bytes if most of it was serialized before. */
export type Answered = string | Buffer | EventStream | undefined;

export function dispatcherOf(registry: Registry, streams: Streams): Dispatcher {
  const [modern, earlier] = [statelessMethods(registry), earlierMethods(registry)];

  const stateless = async (exchange: Exchange, message: Message) => {
    if (message.kind === "response")
      throw new RpcError(CODE.badRequest, "Invalid Request: the server asked nothing.");
    if (message.kind === "notification") return await taken(exchange);
    checkEnvelope(message, exchange.request.headers);
    const { id, method, params } = message;
    if (method === "subscriptions/listen") return await listen(exchange, params, id, streams);
    return around(id, await methodOf(modern, method, 404)(exchange, params));
  };

  return {
    async dispatch(exchange, message) {
      const version = exchange.request.headers["mcp-protocol-version"];
      exchange.modern = isStateless(message, version);
      if (exchange.modern) return await stateless(exchange, message);
      if (version !== undefined && !isEarlier(String(version))) {
        throw unknownVersion(String(version), REVISIONS);
      }
      if (message.kind === "request") {
        const { id, method, params } = message;
        return around(id, await methodOf(earlier, method, 200)(exchange, params));
      }
      return await taken(exchange);
    },
  };
}

const around = (id: Id, result: string | Buffer): string | Buffer =>
  typeof result === "string" ? resultText(id, result) : resultBytes(id, result);

/** Accepts notifications of valid callers and ignores them: the server keeps no state. */
async function taken({ service, caller }: Exchange): Promise<undefined> {
  await checkToken(service, caller);
}

function methodOf(methods: Map<string, Method>, name: string, status: number): Method {
  const method = methods.get(name);
  if (method !== undefined) return method;
  throw new RpcError(CODE.noMethod, `Method not found: ${name.slice(0, 100)}`, { status });
}
