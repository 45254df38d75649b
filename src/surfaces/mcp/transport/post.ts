import { Refusal } from "../../../core/refusal.ts";
import { checkToken } from "../../../domain/grants/check-token.ts";
import { jsonBody } from "../../../http/request/body.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Answered, Dispatcher } from "../calls/dispatch.ts";
import { lateFailure } from "../calls/protocol-failure.ts";
import { Channel, EventStream, STREAM_HEADERS } from "../protocol/channel.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { idOf, isObject, type Message, readMessage } from "../protocol/message.ts";
import { CODE, RpcError } from "../protocol/rpc-error.ts";
import { errorText } from "../protocol/rpc-text.ts";
import { afterYield } from "./after-yield.ts";
import { dispatchBatch } from "./batch.ts";

/** Answers a POST: 200 with JSON or a stream, 202 if there is no response, or a protocol error. */
export async function answerPost(exchange: Exchange, dispatcher: Dispatcher): Promise<Reply> {
  let value: unknown;
  try {
    value = bodyOf(exchange);
    if (Array.isArray(value)) return reply(await dispatchBatch(exchange, dispatcher, value));
    const message = readMessage(value);
    if (mayStream(exchange, message)) return await onChannel(exchange, dispatcher, message, value);
    const answer = await dispatcher.dispatch(exchange, message);
    await afterYield();
    return reply(answer);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    // Errors of a message are reported only to callers with a valid token.
    await checkToken(exchange.service, exchange.caller);
    return { status: error.status, body: errorText(error, idOf(value)) };
  }
}

function reply(answer: Answered): Reply {
  if (answer === undefined) return { status: 202 };
  if (!(answer instanceof EventStream)) return { status: 200, body: answer };
  return { status: 200, type: "text/event-stream", body: answer.body, headers: STREAM_HEADERS };
}

/** Whether messages may precede the result: the client asked for progress and accepts a stream. */
function mayStream({ request }: Exchange, message: Message): boolean {
  if (message.kind !== "request") return false;
  const { _meta: meta } = message.params;
  if (!isObject(meta) || meta.progressToken === undefined) return false;
  return /\btext\/event-stream\b/i.test(request.headers.accept ?? "");
}

/** Answers with a stream if a message precedes the result; otherwise with JSON. */
async function onChannel(
  exchange: Exchange,
  dispatcher: Dispatcher,
  message: Message,
  value: unknown,
): Promise<Reply> {
  const channel = new Channel();
  const work = dispatcher.dispatch({ ...exchange, channel }, message);
  const first = await Promise.race([work, channel.opened]);
  // Only the channel's own stream is already open; the answer may be another stream.
  if (!(first instanceof EventStream) || !channel.holds(first)) return reply(first);
  const id = idOf(value);
  work.then(
    (answer) => first.end(answer instanceof EventStream ? undefined : answer?.toString()),
    (error: unknown) => first.end(errorText(lateFailure(error, exchange.request), id)),
  );
  return reply(first);
}

/** Returns the posted JSON; -32700 if it cannot be parsed (JSON-RPC 2.0, 5.1). */
function bodyOf({ request }: Exchange): unknown {
  try {
    return jsonBody(request);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const unread = error.code === "not_json" || error.code === "not_utf8";
    if (unread) throw new RpcError(CODE.notJson, `Parse error: ${error.message}`);
    throw new RpcError(CODE.badRequest, error.message, {
      status: error.kind === "unsupported_media" ? 415 : 400,
    });
  }
}
