import { allowed, checkCaller } from "../protocol/allowed.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { isObject } from "../protocol/message.ts";
import type { Prompt } from "../protocol/registry.ts";
import { complete } from "../protocol/result.ts";
import { badParams, RpcError } from "../protocol/rpc-error.ts";
import { membersOf } from "../protocol/rpc-text.ts";
import { asking } from "./asking.ts";
import { protocolFailure } from "./protocol-failure.ts";

/** `prompts/get`: returns the messages of a prompt for its arguments, which are strings. */
export async function getPrompt(exchange: Exchange, params: Record<string, unknown>): Promise<string> {
  const { name, arguments: given = {} } = params;
  if (typeof name !== "string") throw badParams("name must be a string");
  const prompt = exchange.catalogue.prompts.get(name);
  if (prompt === undefined) throw badParams(`unknown prompt ${name.slice(0, 100)}`);
  try {
    await allowed(exchange, prompt);
    const args = argumentsOf(prompt, given);
    const asked = await asking(exchange, "prompts/get", params, prompt, (call) => prompt.get(call, args));
    return "required" in asked ? asked.required : complete(exchange, membersOf(asked.outcome));
  } catch (error) {
    const failure = protocolFailure(error, exchange);
    if (failure instanceof RpcError) await checkCaller(exchange, prompt);
    throw failure;
  }
}

/** Returns the arguments that the prompt has, all strings; -32602 if one is missing or not a string. */
function argumentsOf(prompt: Prompt, given: unknown): Record<string, string> {
  if (!isObject(given)) throw badParams("arguments must be an object");
  const args: Record<string, string> = {};
  for (const { name, required } of prompt.arguments) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (typeof value === "string") args[name] = value;
    else if (value !== undefined) throw badParams(`arguments.${name} must be a string`);
    else if (required) throw badParams(`arguments.${name} is required`);
  }
  return args;
}
