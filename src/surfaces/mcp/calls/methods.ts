import { permissionsOfGrant } from "../../../core/permission.ts";
import { checkToken, tokenStanding } from "../../../domain/grants/check-token.ts";
import { completes } from "../protocol/capabilities.ts";
import { greeted, type ListName } from "../protocol/catalogue.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { showsViews } from "../protocol/extensions.ts";
import { isObject } from "../protocol/message.ts";
import type { Registry } from "../protocol/registry.ts";
import { resultOf } from "../protocol/result.ts";
import { META } from "../protocol/revisions.ts";
import { badParams } from "../protocol/rpc-error.ts";
import { membersOf } from "../protocol/rpc-text.ts";
import { callTool } from "./call-tool.ts";
import { completeArgument } from "./complete-argument.ts";
import { getPrompt } from "./get-prompt.ts";
import type { Method } from "./method.ts";
import { readResource } from "./read-resource.ts";
import { taskMethods } from "./task-methods.ts";

const discover: Method = async (exchange) => {
  await checkToken(exchange.service, exchange.caller);
  return resultOf(
    exchange.catalogue.discover,
    true,
    membersOf({ _meta: { [META.server]: introduced(exchange) } }),
  );
};

/** The server as it introduces itself: other results name it in few bytes. */
const introduced = ({ catalogue: { registry }, service }: Exchange): object => ({
  ...registry.server,
  ...registry.presentedAt?.(service.config.authUrl),
});

const initialize: Method = async (exchange, { protocolVersion, capabilities, clientInfo }) => {
  if (typeof protocolVersion !== "string") throw badParams("protocolVersion must be a string");
  if (!isObject(capabilities)) throw badParams("capabilities must be an object");
  if (!isObject(clientInfo)) throw badParams("clientInfo must be an object");
  await checkToken(exchange.service, exchange.caller);
  const members = membersOf({ protocolVersion: greeted(protocolVersion), serverInfo: introduced(exchange) });
  return `{${members},${exchange.catalogue.initialize}}`;
};

/** Returns an empty result to any valid token. */
const nothing: Method = async (exchange) => {
  await checkToken(exchange.service, exchange.caller);
  return "{}";
};

/** The methods that all revisions have, as far as the registry needs them. */
function shared(registry: Registry): [string, Method][] {
  const { tools, resources, templates, prompts } = registry;
  const reads = resources.length + templates.length > 0;
  return [
    ...methods(tools.length > 0, { "tools/list": listed("tools"), "tools/call": callTool }),
    ...methods(reads, {
      "resources/list": listed("resources"),
      "resources/templates/list": listed("resourceTemplates"),
      "resources/read": readResource,
    }),
    ...methods(prompts.length > 0, { "prompts/list": listed("prompts"), "prompts/get": getPrompt }),
    ...methods(completes(registry), { "completion/complete": completeArgument }),
  ];
}

/**
 * The methods of 2026-07-28, but for `subscriptions/listen`, which the dispatcher handles because it has no
 * result.
 */
export const statelessMethods = (registry: Registry): Map<string, Method> =>
  new Map([
    ["server/discover", discover],
    ...shared(registry),
    ...(registry.tasks === undefined ? [] : Object.entries(taskMethods(registry.tasks))),
  ]);

/** The methods of the earlier revisions. */
export const earlierMethods = (registry: Registry): Map<string, Method> =>
  new Map([["initialize", initialize], ["ping", nothing], ...shared(registry)]);

const methods = (there: boolean, all: Record<string, Method>): [string, Method][] =>
  there ? Object.entries(all) : [];

/**
 * Returns the method of a list. Lists fit one page, so any cursor is unknown. Earlier revisions declare no capabilities
 * with a request: their clients skip the `_meta` that they do not know.
 */
function listed(name: ListName): Method {
  return async (exchange, params) => {
    if (params.cursor !== undefined) throw badParams("unknown cursor");
    const { scopes, role } = await tokenStanding(exchange.service, exchange.caller);
    const { catalogue, narrowed = catalogue.offer, modern } = exchange;
    const form = { modern, views: !modern || showsViews(params) };
    return catalogue.list(name, permissionsOfGrant(scopes, role), form, narrowed);
  };
}
