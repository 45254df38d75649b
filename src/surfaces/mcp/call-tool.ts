import { checkToken } from "../../domain/grants/check-token.ts";
import type { Exchange } from "./exchange.ts";
import { inputFailure } from "./input-failure.ts";
import { isObject } from "./message.ts";
import { CODE, RpcError } from "./rpc-error.ts";
import { toolFailure } from "./tool-failure.ts";
import { TOOLS } from "./tools/list.ts";

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

/**
 * `tools/call`: the answer as structured content and the same JSON as text, for clients that know only text. A call
 * that could not be carried out is a result too (`isError`), so that the model can read it and try again.
 */
export async function callTool(exchange: Exchange, params: Record<string, unknown>): Promise<object> {
  const { name, arguments: args = {} } = params;
  const tool = typeof name === "string" ? BY_NAME.get(name) : undefined;
  if (tool === undefined)
    throw badParams(typeof name === "string" ? `unknown tool ${name}` : "name must be a string");
  if (!isObject(args)) throw badParams("arguments must be an object");
  const faults = tool.faults(args);
  if (faults.length > 0) {
    await checkToken(exchange.service, exchange.caller);
    return inputFailure(faults, exchange.request.id);
  }
  try {
    const answer = await tool.run(exchange, args);
    return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    // A statement may fail before its door was heard: a failure, too, is told only to a living token.
    await checkToken(exchange.service, exchange.caller);
    return toolFailure(error, exchange.request);
  }
}

const badParams = (why: string): RpcError =>
  new RpcError(CODE.badParams, `Invalid params: ${why}.`, { status: 200 });
