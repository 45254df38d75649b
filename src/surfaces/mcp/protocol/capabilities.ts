import type { Registry } from "./registry.ts";

/**
 * What a server declares (MCP 2026-07-28, ServerCapabilities): what it offers, and of changes only those it tells.
 * Earlier revisions have no stream that could tell them, unless one process serves everybody.
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

/** Whether there is anything to complete. */
export const completes = ({ prompts, templates }: Registry): boolean =>
  [...prompts, ...templates].some(({ complete }) => complete !== undefined);
