import { allowed, checkCaller } from "../protocol/allowed.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { isObject } from "../protocol/message.ts";
import type { Completion, Prompt, ResourceTemplate } from "../protocol/registry.ts";
import { complete } from "../protocol/result.ts";
import { badParams, RpcError } from "../protocol/rpc-error.ts";
import { LiveCall } from "./live-call.ts";
import { protocolFailure } from "./protocol-failure.ts";

/** The protocol's maximum number of values in a completion. */
const MOST = 100;
const LONGEST = 1_000;

/**
 * `completion/complete`: returns values that match what the person typed; an empty list if there are none.
 */
export async function completeArgument(exchange: Exchange, params: Record<string, unknown>): Promise<string> {
  const { argument } = params;
  const offered = referred(exchange, params.ref);
  if (!isObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string") {
    throw badParams("argument must be an object with name and value");
  }
  const call = new LiveCall(exchange, params);
  try {
    await allowed(exchange, offered);
    const [typed, others] = [argument.value.slice(0, LONGEST), othersOf(params)];
    if (offered.complete === undefined || !has(offered, argument.name)) {
      await checkCaller(exchange, offered);
      return complete(exchange, told([]));
    }
    return complete(exchange, told(await offered.complete(call, argument.name, typed, others)));
  } catch (error) {
    const failure = protocolFailure(error, exchange);
    if (failure instanceof RpcError) await checkCaller(exchange, offered);
    throw failure;
  } finally {
    call.done();
  }
}

/** Returns the `completion` member of the result; without a total if the matches were not all counted. */
function told(completion: Completion): string {
  const counted = Array.isArray(completion);
  const all = counted ? completion : completion.first;
  const values = all.slice(0, MOST);
  const total = counted ? { total: all.length } : {};
  return `"completion":${JSON.stringify({ values, ...total, hasMore: !counted || all.length > MOST })}`;
}

/** Whether the prompt has an argument, or the template a variable, of this name. */
const has = (offered: Prompt | ResourceTemplate, name: string): boolean =>
  "uriTemplate" in offered
    ? offered.uriTemplate.includes(`{${name}}`)
    : offered.arguments.some((argument) => argument.name === name);

function referred({ catalogue }: Exchange, ref: unknown): Prompt | ResourceTemplate {
  const { type, name, uri } = isObject(ref) ? ref : {};
  if (type === "ref/prompt" && typeof name === "string") {
    const prompt = catalogue.prompts.get(name);
    if (prompt === undefined) throw badParams(`unknown prompt ${name.slice(0, 100)}`);
    return prompt;
  }
  if (type === "ref/resource" && typeof uri === "string") {
    const template = catalogue.templatesByUri.get(uri);
    if (template === undefined) throw badParams("unknown resource template", { uri });
    return template;
  }
  throw badParams("ref must be a prompt (ref/prompt, name) or a resource template (ref/resource, uri)");
}

/** Returns the arguments that are already filled in; -32602 if one is not a string. */
function othersOf({ context = {} }: Record<string, unknown>): Record<string, string> {
  const { arguments: others = {} } = isObject(context) ? context : { arguments: 0 };
  if (!isObject(others) || Object.values(others).some((value) => typeof value !== "string")) {
    throw badParams("context.arguments must be an object with string values");
  }
  return others as Record<string, string>;
}
