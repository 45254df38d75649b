import { dispatch } from "./dispatch.ts";
import type { Exchange } from "./exchange.ts";
import { idOf, isObject } from "./message.ts";
import { BATCHING } from "./revisions.ts";
import { CODE, errorBody, RpcError } from "./rpc-error.ts";

const MOST = 50;

/**
 * Carries out a JSON-RPC batch, one message after the other (MCP 2025-03-26, the only revision that has them);
 * undefined where it holds notifications alone.
 */
export async function dispatchBatch(
  exchange: Exchange,
  values: readonly unknown[],
): Promise<object[] | undefined> {
  const version = exchange.request.headers["mcp-protocol-version"] ?? BATCHING;
  if (version !== BATCHING) throw refused(`revision ${version} has no batches`);
  if (values.length === 0 || values.length > MOST) throw refused(`a batch holds 1 to ${MOST} messages`);
  if (values.some((value) => isObject(value) && value.method === "initialize")) {
    throw refused("initialize stands alone");
  }
  const answers: object[] = [];
  for (const value of values) {
    const answer = await dispatch(exchange, value).catch((error: unknown) => failed(error, value));
    if (answer !== undefined) answers.push(answer);
  }
  return answers.length === 0 ? undefined : answers;
}

function failed(error: unknown, value: unknown): object {
  if (error instanceof RpcError) return errorBody(error, idOf(value));
  throw error;
}

const refused = (why: string): RpcError => new RpcError(CODE.badRequest, `Invalid Request: ${why}.`);
