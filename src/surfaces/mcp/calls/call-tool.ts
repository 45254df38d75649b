import type { Fault } from "../../../core/refusal.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import { allowed, checkCaller } from "../protocol/allowed.ts";
import type { KnownTool } from "../protocol/catalogue.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { declares, TASKS } from "../protocol/extensions.ts";
import { isObject } from "../protocol/message.ts";
import { checkParamHeaders } from "../protocol/param-headers.ts";
import { Content } from "../protocol/registry.ts";
import { answerMembers, complete } from "../protocol/result.ts";
import { badParams, RpcError } from "../protocol/rpc-error.ts";
import { membersOf } from "../protocol/rpc-text.ts";
import { assistantPath } from "../tools/shared/filter.ts";
import { asking } from "./asking.ts";
import { taskResult } from "./task-methods.ts";
import { inputFailure, toolFailure } from "./tool-failure.ts";

/**
 * `tools/call`: returns the answer as structured content and the same JSON as text, for clients that support
 * only text. A failed call is a result too (`isError`), so that the model can read it and try again.
 */
export async function callTool(exchange: Exchange, params: Record<string, unknown>): Promise<string> {
  const { name, arguments: args = {} } = params;
  if (typeof name !== "string") throw badParams("name must be a string");
  const tool = exchange.catalogue.tools.get(name);
  if (tool === undefined) throw badParams(`unknown tool ${name.slice(0, 100)}`);
  if (exchange.narrowed?.names.has(name) === false)
    throw badParams(
      `the tool ${name} is not among those that this server's URL names: ${exchange.narrowed.key}`,
    );
  if (!isObject(args)) throw badParams("arguments must be an object");
  if (exchange.modern) checkParamHeaders(tool.paramHeaders, args, exchange.request.headers);
  const faults = tool.faults(args);
  if (faults.length > 0) {
    await checkCaller(exchange, tool);
    exchange.service.account?.refuse("invalid_input");
    return complete(exchange, membersOf(inputFailure(faults, exchange.request.id)));
  }
  return await run(exchange, tool, params, args);
}

async function run(
  asked: Exchange,
  tool: KnownTool,
  params: Record<string, unknown>,
  args: Record<string, unknown>,
): Promise<string> {
  const { exchange, warnings, changes } = observed(asked);
  try {
    await allowed(exchange, tool);
    const answer = await asking(exchange, "tools/call", params, tool, (call) => tool.run(call, args));
    if ("required" in answer) return answer.required;
    const { outcome } = answer;
    if (outcome instanceof Content) {
      const { blocks: content, isError } = outcome;
      return complete(exchange, membersOf({ content, ...(isError ? { isError } : {}) }));
    }
    const task = warnings.length > 0 ? undefined : await goingOn(exchange, params, tool, outcome);
    if (task !== undefined) return task;
    return complete(
      exchange,
      answerMembers(
        withChange(withWarnings(outcome, inArguments(warnings, tool, args)), changes),
        tool.links?.(outcome) ?? [],
      ),
    );
  } catch (error) {
    if (error instanceof RpcError) throw error;
    // The failing statement may have run before the door: check the token first, since failures are reported
    // only to valid ones.
    await checkCaller(exchange, tool);
    exchange.service.account?.refuse(refusalOf(error).code);
    return complete(exchange, membersOf(toolFailure(error, exchange.request)));
  }
}

/** The result of a call whose work goes on as a task, if its client follows tasks. One with warnings answers them instead. */
async function goingOn(
  exchange: Exchange,
  params: Record<string, unknown>,
  { taskOf }: KnownTool,
  outcome: object,
): Promise<string | undefined> {
  const { tasks } = exchange.catalogue.registry;
  if (!exchange.modern || tasks === undefined || !declares(params, TASKS)) return undefined;
  const id = taskOf?.(outcome);
  return id === undefined ? undefined : await taskResult(exchange, params, tasks, id);
}

interface Observed {
  exchange: Exchange;
  warnings: Fault[];
  changes: { id: string; made: boolean }[];
}

/** The exchange as one call sees it: the messages of a batch share a request, but not their warnings and changes. */
function observed(exchange: Exchange): Observed {
  const { service } = exchange;
  const warnings: Fault[] = [];
  const changes: Observed["changes"] = [];
  if (service.origin === undefined) return { exchange, warnings, changes };
  const origin = { ...service.origin, warnings, changes };
  return { exchange: { ...exchange, service: { ...service, origin } }, warnings, changes };
}

/** Returns an answer with the id of the change that the call made, the last one if it made several. */
function withChange(answer: object, changes: Observed["changes"]): object {
  const made = changes.findLast((change) => change.made);
  return made === undefined ? answer : { ...answer, change_id: made.id };
}

/** Returns an answer with its warnings, which quote names that people chose. */
function withWarnings(answer: object, warnings: readonly Fault[]): object {
  if (warnings.length === 0) return answer;
  const { untrusted_content: untrusted = [], ...members } = answer as { untrusted_content?: string[] };
  return {
    ...members,
    warnings,
    untrusted_content: [...untrusted, "warnings"],
  };
}

/** How many warnings an answer has room for. */
const MOST_WARNINGS = 5;

/** Warnings with the paths of the call's arguments. */
const inArguments = (warnings: readonly Fault[], { pathOf }: KnownTool, args: object): Fault[] =>
  warnings
    .slice(0, MOST_WARNINGS)
    .map(({ path, ...fault }) => ({ ...fault, path: assistantPath(pathOf?.(path, args) ?? path) }));
