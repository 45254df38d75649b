import { CODE, RpcError } from "./rpc-error.ts";

export type Id = string | number;

/** One JSON-RPC 2.0 message that a client may post. */
export type Message =
  | { kind: "request"; id: Id; method: string; params: Record<string, unknown> }
  | { kind: "notification"; method: string; params: Record<string, unknown> }
  | { kind: "response" };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a message; -32600 if it is not one (JSON-RPC 2.0, 4 and 5; MCP forbids null as an id). */
export function readMessage(value: unknown): Message {
  if (!isObject(value) || value.jsonrpc !== "2.0")
    throw notAMessage('The message must be a JSON object with "jsonrpc": "2.0".');
  const { id, method, params = {} } = value;
  if (id !== undefined && !isId(id)) throw notAMessage("id must be a string or an integer.");
  if (method === undefined && id !== undefined && ("result" in value || "error" in value))
    return { kind: "response" };
  if (typeof method !== "string") throw notAMessage("method must be a string.");
  if (!isObject(params)) throw notAMessage("params must be a JSON object.");
  return id === undefined
    ? { kind: "notification", method, params }
    : { kind: "request", id, method, params };
}

/** Returns the id to answer a message with, even if the message is invalid; null if it has none. */
export function idOf(value: unknown): Id | null {
  return isObject(value) && isId(value.id) ? value.id : null;
}

const isId = (id: unknown): id is Id => typeof id === "string" || Number.isSafeInteger(id);

const notAMessage = (why: string): RpcError => new RpcError(CODE.badRequest, `Invalid Request: ${why}`);
