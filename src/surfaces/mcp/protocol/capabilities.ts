import { TASKS, UI } from "./extensions.ts";
import type { Registry } from "./registry.ts";

/**
 * Returns a server's capabilities (MCP 2026-07-28, ServerCapabilities): what it offers, and which changes it
 * reports. Earlier revisions receive no changes: their messages would need a session, and any instance answers any request.
 */
export function capabilitiesOf(registry: Registry, modern: boolean): object {
  const { tools, resources, templates, prompts } = registry;
  const changes = modern ? { listChanged: true } : {};
  const reads = resources.length + templates.length > 0;
  return {
    ...(tools.length > 0 ? { tools: changes } : {}),
    ...(reads ? { resources: { ...changes, ...(modern ? { subscribe: true } : {}) } } : {}),
    ...(prompts.length > 0 ? { prompts: changes } : {}),
    ...(completes(registry) ? { completions: {} } : {}),
    ...(modern ? extensionsOf(registry) : {}),
  };
}

function extensionsOf({ tools, tasks }: Registry): object {
  const extensions = {
    ...(tasks === undefined ? {} : { [TASKS]: {} }),
    ...(tools.some(({ view }) => view !== undefined) ? { [UI]: {} } : {}),
  };
  return Object.keys(extensions).length > 0 ? { extensions } : {};
}

/** Whether anything has completions. */
export const completes = ({ prompts, templates }: Registry): boolean =>
  [...prompts, ...templates].some(({ complete }) => complete !== undefined);
