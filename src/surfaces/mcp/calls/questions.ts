import { isObject } from "../protocol/message.ts";
import type { Answer, ClientQuestion, Question, Questions } from "../protocol/registry.ts";
import { badParams, CODE, RpcError } from "../protocol/rpc-error.ts";

type AnyQuestion = Question | ClientQuestion;

const CAPABILITY: Record<string, string> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/** Returns a question as a protocol request. */
export function requestOf(asked: AnyQuestion): { method: string; params: object } {
  if ("method" in asked) return { method: asked.method, params: asked.params };
  const { message, schema } = asked;
  return { method: "elicitation/create", params: { mode: "form", message, requestedSchema: schema } };
}

/**
 * Returns the questions that the client supports, as requests; -32021 with the missing capabilities if it
 * supports none (MCP 2026-07-28, Multi Round-Trip Requests).
 */
export function answerable(
  { asked }: Questions,
  capabilities: Readonly<Record<string, unknown>>,
): Record<string, object> {
  const all = Object.entries(asked).map(([name, question]) => [name, requestOf(question)] as const);
  const needed = (method: string): string => CAPABILITY[method] ?? method;
  const able = all.filter(([, { method }]) => isObject(capabilities[needed(method)]));
  if (able.length > 0) return Object.fromEntries(able);
  const requiredCapabilities = Object.fromEntries(all.map(([, { method }]) => [needed(method), {}]));
  throw new RpcError(
    CODE.missingCapability,
    `This call needs a client that can answer: ${Object.keys(requiredCapabilities).join(", ")}.`,
    { data: { requiredCapabilities } },
  );
}

/**
 * Returns the client's answers, checked for shape; undefined if it sent none, -32602 if they are malformed.
 */
export function responsesOf(params: Record<string, unknown>): Record<string, Answer> | undefined {
  const { inputResponses } = params;
  if (inputResponses === undefined) return undefined;
  if (!isObject(inputResponses)) throw badParams("inputResponses must be an object");
  for (const [name, answer] of Object.entries(inputResponses)) {
    if (!isObject(answer)) throw badParams(`inputResponses.${name} must be an object`);
    const { action, content } = answer;
    if (action === undefined) continue;
    if (!["accept", "decline", "cancel"].includes(String(action))) {
      throw badParams(`inputResponses.${name}.action must be one of accept, decline, cancel`);
    }
    if (content !== undefined && !isObject(content)) {
      throw badParams(`inputResponses.${name}.content must be an object`);
    }
  }
  return inputResponses as Record<string, Answer>;
}
