import type { Dispatcher } from "../calls/dispatch.ts";
import { lateFailure } from "../calls/protocol-failure.ts";
import { EventStream } from "../protocol/channel.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { idOf, isObject, readMessage } from "../protocol/message.ts";
import { BATCHING } from "../protocol/revisions.ts";
import { CODE, RpcError } from "../protocol/rpc-error.ts";
import { errorText } from "../protocol/rpc-text.ts";

const MOST = 50;

/**
 * Handles the messages of a JSON-RPC batch in sequence (MCP 2025-03-26, the only revision with batches);
 * undefined if all of them are notifications.
 */
export async function dispatchBatch(
  exchange: Exchange,
  dispatcher: Dispatcher,
  values: readonly unknown[],
): Promise<string | undefined> {
  const version = exchange.request.headers["mcp-protocol-version"] ?? BATCHING;
  if (version !== BATCHING) throw refused(`revision ${String(version).slice(0, 100)} has no batches`);
  if (values.length === 0 || values.length > MOST) throw refused(`a batch must have 1 to ${MOST} messages`);
  if (values.some((value) => isObject(value) && value.method === "initialize")) {
    throw refused("initialize must not be in a batch");
  }
  const answers: string[] = [];
  let mayHaveWritten = false;
  for (const value of values) {
    const answer = await answerTo(exchange, dispatcher, value).catch((error: unknown) => {
      // A refusal of the whole batch invites to repeat it, what was done before included.
      if (!mayHaveWritten && !(error instanceof RpcError)) throw error;
      return errorText(lateFailure(error, exchange.request), idOf(value));
    });
    if (answer !== undefined) answers.push(answer);
    if (isObject(value) && value.method === "tools/call") mayHaveWritten = true;
  }
  return answers.length === 0 ? undefined : `[${answers.join()}]`;
}

async function answerTo(
  exchange: Exchange,
  dispatcher: Dispatcher,
  value: unknown,
): Promise<string | undefined> {
  const answer = await dispatcher.dispatch(exchange, readMessage(value));
  if (!(answer instanceof EventStream)) return answer?.toString();
  answer.end();
  throw refused("a batch must not have methods that stream");
}

const refused = (why: string): RpcError => new RpcError(CODE.badRequest, `Invalid Request: ${why}.`);
