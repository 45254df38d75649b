import { checkToken } from "../../domain/grants/check-token.ts";
import type { Exchange } from "./exchange.ts";
import { SERVER } from "./identity.ts";
import { type Id, type Message, readMessage } from "./message.ts";
import { EARLIER_METHODS, type Method, STATELESS_METHODS } from "./methods.ts";
import { isEarlier, META } from "./revisions.ts";
import { CODE, RpcError } from "./rpc-error.ts";
import { checkEnvelope, isStateless, unknownVersion } from "./stateless.ts";

/** Carries out one message; undefined for a notification, which has no answer (JSON-RPC 2.0, 4.1). */
export async function dispatch(exchange: Exchange, value: unknown): Promise<object | undefined> {
  const message = readMessage(value);
  const version = exchange.request.headers["mcp-protocol-version"];
  if (isStateless(message, version)) return await stateless(exchange, message);
  if (version !== undefined && !isEarlier(String(version))) throw unknownVersion(String(version));
  if (message.kind !== "request") return await taken(exchange);
  return answered(message.id, await methodOf(EARLIER_METHODS, message.method, 200)(exchange, message.params));
}

async function stateless(exchange: Exchange, message: Message): Promise<object | undefined> {
  if (message.kind === "response")
    throw new RpcError(CODE.badRequest, "Invalid Request: the server asked nothing.");
  if (message.kind === "notification") return await taken(exchange);
  checkEnvelope(message, exchange.request.headers);
  const result = await methodOf(STATELESS_METHODS, message.method, 404)(exchange, message.params);
  return answered(message.id, { resultType: "complete", ...result, _meta: { [META.server]: SERVER } });
}

/** Notifications are taken from those who may speak at all, and change nothing: the server keeps no state. */
async function taken({ service, caller }: Exchange): Promise<undefined> {
  await checkToken(service, caller);
}

function methodOf(methods: Map<string, Method>, name: string, status: number): Method {
  const method = methods.get(name);
  if (method === undefined) throw new RpcError(CODE.noMethod, `Method not found: ${name}`, { status });
  return method;
}

const answered = (id: Id, result: object): object => ({ jsonrpc: "2.0", id, result });
