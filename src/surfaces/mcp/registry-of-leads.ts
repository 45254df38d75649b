import { INSTRUCTIONS, SERVER } from "./identity.ts";
import { PROMPTS } from "./prompts/list.ts";
import type { Registry } from "./protocol/registry.ts";
import { RESOURCES, TEMPLATES } from "./resources/list.ts";
import { TOOLS } from "./tools/list.ts";

/** What assistants find at the service. */
export const LEADS: Registry = {
  tools: TOOLS,
  resources: RESOURCES,
  templates: TEMPLATES,
  prompts: PROMPTS,
  server: SERVER,
  instructions: INSTRUCTIONS,
};
