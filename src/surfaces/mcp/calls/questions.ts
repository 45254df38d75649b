import { isObject } from "../protocol/message.ts";
import type { Answer, Questions } from "../protocol/registry.ts";
import { badParams, CODE, RpcError } from "../protocol/rpc-error.ts";

/**
 * Returns the questions as elicitation by form; -32021 with the missing capability if the client did not declare it (MCP
 * 2026-07-28, Multi Round-Trip Requests). Sampling and roots are not used: no tool of ours needs the client's model or files.
 */
export function answerable(
  { asked }: Questions,
  capabilities: Readonly<Record<string, unknown>>,
): Record<string, object> {
  if (!isObject(capabilities.elicitation))
    throw new RpcError(CODE.missingCapability, "This call needs a client that can answer: elicitation.", {
      data: { requiredCapabilities: { elicitation: {} } },
    });
  return Object.fromEntries(
    Object.entries(asked).map(([name, { message, schema }]) => [
      name,
      { method: "elicitation/create", params: { mode: "form", message, requestedSchema: schema } },
    ]),
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
