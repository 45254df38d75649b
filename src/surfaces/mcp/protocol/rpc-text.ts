import type { Id } from "./message.ts";
import type { RpcError } from "./rpc-error.ts";
import { shownText } from "./shown-text.ts";

// Responses are concatenated strings: static parts and a tool's answer are each serialized only once. Hidden characters
// are removed here, where everything goes out, whatever wrote it; an id goes back as it came.

/** Returns a JSON-RPC response with a serialized result. */
export const resultText = (id: Id, result: string): string => `${begunFor(id)}${shownText(result)}}`;

/** The same for a result in bytes. The few static results are cached for small ids, since clients count from one. */
export function resultBytes(id: Id, result: Buffer): Buffer {
  if (typeof id !== "number" || !(id >= 0 && id < FIRST_IDS)) return around(id, result);
  const kept = whole.get(result) ?? [];
  if (kept.length === 0) whole.set(result, kept);
  kept[id] ??= around(id, result);
  return kept[id];
}

const FIRST_IDS = 10;
const whole = new WeakMap<Buffer, Buffer[]>();

const around = (id: Id, result: Buffer): Buffer => Buffer.concat([Buffer.from(begunFor(id)), result, CLOSED]);

const CLOSED = Buffer.from("}");
const begunFor = (id: Id): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;

/** Returns a JSON-RPC error response; id null if the message could not be read (JSON-RPC 2.0, 5). */
export function errorText({ code, message, data }: RpcError, id: Id | null): string {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${shownText(JSON.stringify(error))}}`;
}

export const noteText = (method: string, params: object): string =>
  `{"jsonrpc":"2.0","method":"${method}","params":${JSON.stringify(params)}}`;

/** Returns the members of an object as JSON, without its braces. */
export const membersOf = (value: object): string => JSON.stringify(value).slice(1, -1);
