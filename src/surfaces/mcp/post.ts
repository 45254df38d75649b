import { Refusal } from "../../core/refusal.ts";
import { checkToken } from "../../domain/grants/check-token.ts";
import { jsonBody } from "../../http/body.ts";
import type { Reply } from "../../http/reply.ts";
import { dispatchBatch } from "./batch.ts";
import { dispatch } from "./dispatch.ts";
import type { Exchange } from "./exchange.ts";
import { idOf } from "./message.ts";
import { CODE, errorBody, RpcError } from "./rpc-error.ts";

/** Answers what a client posts: 200 with JSON, 202 where nothing is to be answered, or the protocol's own error. */
export async function answerPost(exchange: Exchange): Promise<Reply> {
  let value: unknown;
  try {
    value = bodyOf(exchange);
    const answer = await (Array.isArray(value) ? dispatchBatch(exchange, value) : dispatch(exchange, value));
    return answer === undefined ? { status: 202 } : { status: 200, body: answer };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    // What is wrong with a message is told only to those who may speak.
    await checkToken(exchange.service, exchange.caller);
    return { status: error.status, body: errorBody(error, idOf(value)) };
  }
}

/** The posted JSON; -32700 for what is none (JSON-RPC 2.0, 5.1). */
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
