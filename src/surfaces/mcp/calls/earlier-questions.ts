import { randomSecret } from "../../../core/secret.ts";
import type { TokenCaller } from "../protocol/bearer.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { isObject } from "../protocol/message.ts";
import type { Answer, Call, Questions } from "../protocol/registry.ts";
import { CODE, RpcError } from "../protocol/rpc-error.ts";
import { requestText } from "../protocol/rpc-text.ts";
import { requestOf } from "./questions.ts";

const PATIENCE_MS = 300_000;

/** Questions that wait in this process, by unguessable id. */
const waiting = new Map<string, { caller: TokenCaller; take(response: Record<string, unknown>): void }>();

/**
 * Asks on the call's stream and waits for the answer, a separate message (MCP 2025-11-25, Elicitation) that
 * must reach the same process.
 */
export async function askInMessages(
  { channel, catalogue, caller }: Exchange,
  { asked }: Questions,
  call: Call,
): Promise<Record<string, Answer>> {
  if (catalogue.registry.oneProcess !== true || channel === undefined) {
    throw new RpcError(
      CODE.badRequest,
      "Invalid Request: this call must ask the user; use protocol version 2026-07-28.",
      {
        status: 200,
      },
    );
  }
  const answers = Object.entries(asked).map(async ([name, question]) => {
    const { method, params } = requestOf(question);
    const id = randomSecret();
    const answered = Promise.withResolvers<Record<string, unknown>>();
    const late = setTimeout(() => answered.reject(unanswered()), PATIENCE_MS);
    call.signal.addEventListener("abort", () => answered.reject(unanswered()), { once: true });
    waiting.set(id, { caller, take: answered.resolve });
    channel.send(requestText(id, method, params));
    try {
      const { result } = await answered.promise;
      if (!isObject(result)) throw unanswered();
      return [name, result as unknown as Answer] as const;
    } finally {
      clearTimeout(late);
      waiting.delete(id);
    }
  });
  return Object.fromEntries(await Promise.all(answers));
}

/** Passes a response to the question that waits for it, if it was asked of the same token. */
export function takeResponse(caller: TokenCaller, response: unknown): void {
  if (!isObject(response) || typeof response.id !== "string") return;
  const question = waiting.get(response.id);
  if (question?.caller.hash.equals(caller.hash) === true) question.take(response);
}

const unanswered = (): RpcError =>
  new RpcError(CODE.badRequest, "Invalid Request: the client did not answer the question.", { status: 200 });
