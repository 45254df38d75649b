import type { Exchange } from "../protocol/exchange.ts";
import { type Answer, type Call, Questions } from "../protocol/registry.ts";
import { LiveCall } from "./live-call.ts";
import { answerable, responsesOf } from "./questions.ts";
import { openState, sealState } from "./request-state.ts";

/** The outcome of work that may ask the person, or the text of an `input_required` result. */
export type AskResult<T> = { outcome: T } | { required: string };

/**
 * Runs work that may ask the person (MCP 2026-07-28, Multi Round-Trip Requests). Nothing is stored between
 * two rounds: earlier answers travel in the sealed state.
 */
export async function asking<T>(
  exchange: Exchange,
  method: string,
  params: Record<string, unknown>,
  offered: { takesUnasked?: true },
  run: (call: Call) => Promise<T | Questions>,
): Promise<AskResult<T>> {
  let answers: Record<string, Answer> | undefined;
  if (exchange.modern && (params.inputResponses !== undefined || params.requestState !== undefined)) {
    const given = responsesOf(params);
    const before = await openState(exchange, method, params);
    if (before !== undefined || offered.takesUnasked === true) answers = { ...before, ...given };
  }
  const call = new LiveCall(exchange, params, answers);
  try {
    const outcome = await run(call);
    if (!(outcome instanceof Questions)) return { outcome };
    const inputRequests = JSON.stringify(answerable(outcome, call.capabilities));
    const requestState = await sealState(exchange, method, params, call.answers);
    const { signature } = exchange.catalogue;
    return {
      required: `{"resultType":"input_required","inputRequests":${inputRequests},"requestState":"${requestState}",${signature}}`,
    };
  } finally {
    call.done();
  }
}
