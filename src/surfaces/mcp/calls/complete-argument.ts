import { allowed, checkCaller } from "../protocol/allowed.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { isObject } from "../protocol/message.ts";
import type { Completion, Prompt, ResourceTemplate } from "../protocol/registry.ts";
import { complete } from "../protocol/result.ts";
import { badParams, RpcError } from "../protocol/rpc-error.ts";
import { LiveCall } from "./live-call.ts";
import { protocolFailure } from "./protocol-failure.ts";

/** What the protocol lets a completion hold. */
const MOST = 100;
const LONGEST = 1_000;

/** `completion/complete`: what the person may mean by what they typed so far; none where nothing can be said. */
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

/** The member of the result; without a total where there are more than anybody counted. */
function told(completion: Completion): string {
  const counted = Array.isArray(completion);
  const all = counted ? completion : completion.first;
  const values = all.slice(0, MOST);
  const total = counted ? { total: all.length } : {};
  return `"completion":${JSON.stringify({ values, ...total, hasMore: !counted || all.length > MOST })}`;
}

/** Whether there is an argument of the prompt, or a variable of the template, that is called so. */
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

/** The arguments that were filled in already; -32602 where one is no text. */
function othersOf({ context = {} }: Record<string, unknown>): Record<string, string> {
  const { arguments: others = {} } = isObject(context) ? context : { arguments: 0 };
  if (!isObject(others) || Object.values(others).some((value) => typeof value !== "string")) {
    throw badParams("context.arguments must be an object with string values");
  }
  return others as Record<string, string>;
}
