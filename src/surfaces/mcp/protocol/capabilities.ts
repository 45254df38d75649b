import type { Registry } from "./registry.ts";

/**
 * Returns a server's capabilities (MCP 2026-07-28, ServerCapabilities): what it offers, and which changes it
 * reports. Earlier revisions receive changes only if one process serves all clients.
 */
export function capabilitiesOf(registry: Registry, modern: boolean): object {
  const { tools, resources, templates, prompts, oneProcess } = registry;
  const changes = modern ? { listChanged: true } : {};
  const reads = resources.length + templates.length > 0;
  const follows = modern || oneProcess === true;
  return {
    ...(tools.length > 0 ? { tools: changes } : {}),
    ...(reads ? { resources: { ...changes, ...(follows ? { subscribe: true } : {}) } } : {}),
    ...(prompts.length > 0 ? { prompts: changes } : {}),
    ...(completes(registry) ? { completions: {} } : {}),
    ...(oneProcess === true ? { logging: {} } : {}),
  };
}

/** Whether anything has completions. */
export const completes = ({ prompts, templates }: Registry): boolean =>
  [...prompts, ...templates].some(({ complete }) => complete !== undefined);
