import { checkToken } from "../../domain/grants/check-token.ts";
import { callTool } from "./call-tool.ts";
import type { Exchange } from "./exchange.ts";
import { CAPABILITIES, INSTRUCTIONS, SERVER } from "./identity.ts";
import { EARLIER, isEarlier, MODERN } from "./revisions.ts";
import { CODE, RpcError } from "./rpc-error.ts";
import { TOOL_LIST } from "./tools/list.ts";

type Params = Record<string, unknown>;
export type Method = (exchange: Exchange, params: Params) => Promise<object>;

/** Nothing here changes while a process runs, but what a token may see differs: a client may keep it, a proxy not. */
const CACHED = { ttlMs: 300_000, cacheScope: "private" };

const discover = answer({
  supportedVersions: [MODERN],
  capabilities: CAPABILITIES,
  instructions: INSTRUCTIONS,
  ...CACHED,
});

const initialize: Method = async ({ service, caller }, { protocolVersion }) => {
  if (typeof protocolVersion !== "string") {
    throw new RpcError(CODE.badParams, "Invalid params: protocolVersion must be a string.", { status: 200 });
  }
  await checkToken(service, caller);
  return {
    protocolVersion: isEarlier(protocolVersion) ? protocolVersion : EARLIER[0],
    capabilities: CAPABILITIES,
    serverInfo: SERVER,
    instructions: INSTRUCTIONS,
  };
};

/** The methods of 2026-07-28. */
export const STATELESS_METHODS = new Map<string, Method>([
  ["server/discover", discover],
  ["tools/list", listed({ tools: TOOL_LIST, ...CACHED })],
  ["tools/call", callTool],
]);

/** The methods of the revisions before it. */
export const EARLIER_METHODS = new Map<string, Method>([
  ["initialize", initialize],
  ["ping", answer({})],
  ["tools/list", listed({ tools: TOOL_LIST })],
  ["tools/call", callTool],
]);

/** A method that answers any living token the same. */
function answer(result: object): Method {
  return async ({ service, caller }) => {
    await checkToken(service, caller);
    return result;
  };
}

/** A list that fits one page: there is no cursor of ours that a client could send. */
function listed(result: object): Method {
  const whole = answer(result);
  return async (exchange, params) => {
    if (params.cursor !== undefined) {
      throw new RpcError(CODE.badParams, "Invalid params: unknown cursor.", { status: 200 });
    }
    return await whole(exchange, params);
  };
}
