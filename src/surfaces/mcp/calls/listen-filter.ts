import type { Permission } from "../../../core/permission.ts";
import { capabilitiesOf } from "../protocol/capabilities.ts";
import { isOffered } from "../protocol/catalogue.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { mustDeclare, TASKS } from "../protocol/extensions.ts";
import { isObject } from "../protocol/message.ts";
import { badParams } from "../protocol/rpc-error.ts";
import { findResource } from "./read-resource.ts";

/** The changes that a stream reports (MCP 2026-07-28, SubscriptionFilter). */
export interface Filter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

/** Each is read again when it may have changed: resources beyond this number are not watched, and the acknowledgement omits them. */
const MOST_RESOURCES = 20;

const LISTS = {
  toolsListChanged: "tools",
  promptsListChanged: "prompts",
  resourcesListChanged: "resources",
} as const;

/** Returns the part of the requested filter that this server honors for this caller; -32602 if it is not a filter. */
export function filterOf(
  exchange: Exchange,
  params: Record<string, unknown>,
  permissions: readonly Permission[],
): Filter {
  const { notifications } = params;
  if (!isObject(notifications)) throw badParams("notifications must be an object");
  // Tasks are asked for, not reported: the acknowledgement names none.
  if (notifications.taskIds !== undefined) mustDeclare(params, TASKS);
  const declared = capabilitiesOf(exchange.catalogue.registry, true);
  const honored: Filter = {};
  for (const [key, list] of Object.entries(LISTS) as [keyof typeof LISTS, string][]) {
    const asked = notifications[key];
    if (asked !== undefined && typeof asked !== "boolean")
      throw badParams(`notifications.${key} must be true or false`);
    if (asked === true && list in declared) honored[key] = true;
  }
  const { resourceSubscriptions: uris = [] } = notifications;
  if (!Array.isArray(uris) || uris.some((uri) => typeof uri !== "string")) {
    throw badParams("notifications.resourceSubscriptions must be an array of strings");
  }
  const known = [...new Set(uris as string[])].filter((uri) => {
    const found = findResource(exchange, uri);
    return found !== undefined && isOffered(found.offered, permissions);
  });
  if (known.length > 0) honored.resourceSubscriptions = known.slice(0, MOST_RESOURCES);
  return honored;
}
