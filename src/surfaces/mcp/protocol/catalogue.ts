import { type Permission, permissionsOfGrant, SCOPES } from "../../../core/permission.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { type ParamHeader, paramHeadersOf } from "./param-headers.ts";
import type { Prompt, Registry, Resource, ResourceTemplate, Tool } from "./registry.ts";
import { resultOf } from "./result.ts";
import { EARLIER, META, MODERN } from "./revisions.ts";
import { membersOf } from "./rpc-text.ts";
import { offerOf, type ToolOffer } from "./tool-sets.ts";

/** The name of a list and of its member in the result. */
export type ListName = "tools" | "resources" | "resourceTemplates" | "prompts";

/** How a list is written: for which revisions, and whether tools name their views. */
interface ListForm {
  modern: boolean;
  views: boolean;
}

/** The forms that lists have: requests of earlier revisions have no capabilities, so their lists name the views. */
const FORMS: readonly ListForm[] = [
  { modern: true, views: false },
  { modern: true, views: true },
  { modern: false, views: true },
];

/** A tool with what is derived from it at the start. */
export interface KnownTool extends Tool {
  paramHeaders: readonly ParamHeader[];
}

/** A registry prepared for serving: static parts are serialized once. */
export interface Catalogue {
  registry: Registry;
  tools: ReadonlyMap<string, KnownTool>;
  resources: ReadonlyMap<string, Resource>;
  templates: readonly ResourceTemplate[];
  templatesByUri: ReadonlyMap<string, ResourceTemplate>;
  prompts: ReadonlyMap<string, Prompt>;
  /** The members of the result of `server/discover`. */
  discover: string;
  /** The members of the result of `initialize`, but for the version and the server. */
  initialize: string;
  /** The end of every 2026-07-28 result, which names the server. */
  signature: string;
  /** Returns the serialized result of a list for callers with these permissions; `offer` are the tools to list. */
  list(name: ListName, permissions: readonly Permission[], form: ListForm, offer: ToolOffer): Buffer;
  /** The tools that are listed if no set is named. */
  offer: ToolOffer;
}

/**
 * The lists never change while a process runs, but they depend on the token: clients may cache them, proxies
 * may not.
 */
const CACHED = `"ttlMs":300000,"cacheScope":"private"`;

/** An item of a list, serialized; `viewed` with the URI of its view. */
type Listed = Pick<Tool, "needs" | "alsoNeeds"> & { name?: string; text: string; viewed?: string };

/** Whether a caller with these permissions is shown an item. */
export const isOffered = (
  { needs, alsoNeeds = needs }: Pick<Tool, "needs" | "alsoNeeds">,
  permissions: readonly Permission[],
): boolean => permissions.includes(needs) && permissions.includes(alsoNeeds);

export function catalogueOf(registry: Registry): Catalogue {
  const { server, instructions, templates } = registry;
  const shown: Record<ListName, readonly Listed[]> = {
    tools: registry.tools.map((tool) => ({ ...tool, text: shownTool(tool), viewed: viewedTool(tool) })),
    resources: registry.resources.filter(({ unlisted }) => unlisted !== true).map(shownResource),
    resourceTemplates: templates.map(shownTemplate),
    prompts: registry.prompts.map(shownPrompt),
  };
  const signature = `"_meta":${JSON.stringify({ [META.server]: server })}`;
  const lists = new Map<string, Buffer>();
  const list = (
    name: ListName,
    permissions: readonly Permission[],
    { modern, views }: ListForm,
    { key: sets, names }: ToolOffer,
  ): Buffer => {
    const key = `${name} ${modern} ${permissions.join()} ${name === "tools" ? `${views} ${sets}` : ""}`;
    const known = lists.get(key);
    if (known !== undefined) return known;
    const offered = name === "tools" ? shown.tools.filter((each) => names.has(each.name ?? "")) : shown[name];
    const allowed = offered
      .filter((each) => isOffered(each, permissions))
      .map(({ text, viewed = text }) => (views ? viewed : text));
    const members = `"${name}":[${allowed.join()}]`;
    const bytes = Buffer.from(resultOf(members + (modern ? `,${CACHED}` : ""), modern, signature));
    lists.set(key, bytes);
    return bytes;
  };
  const offer = offerOf(registry, undefined);
  for (const scopes of [["mcp:read"], ["mcp:write"], SCOPES] as const) {
    for (const name of Object.keys(shown) as ListName[]) {
      for (const form of FORMS) list(name, permissionsOfGrant(scopes, "owner"), form, offer);
    }
  }
  return {
    registry,
    tools: new Map(
      registry.tools.map((tool) => [tool.name, { ...tool, paramHeaders: paramHeadersOf(tool.input) }]),
    ),
    resources: new Map(registry.resources.map((resource) => [resource.uri, resource])),
    templates,
    templatesByUri: new Map(templates.map((template) => [template.uriTemplate, template])),
    prompts: new Map(registry.prompts.map((prompt) => [prompt.name, prompt])),
    discover: `${membersOf({ supportedVersions: [MODERN], capabilities: capabilitiesOf(registry, true), instructions })},${CACHED}`,
    initialize: membersOf({ capabilities: capabilitiesOf(registry, false), instructions }),
    signature,
    list,
    offer,
  };
}

/**
 * Returns the revision to answer `initialize` with: the requested one if it is known, otherwise the newest
 * that has `initialize`.
 */
export const greeted = (asked: string): string =>
  (EARLIER as readonly string[]).includes(asked) ? asked : EARLIER[0];

const shownTool = (tool: Tool): string => JSON.stringify(membersOfTool(tool));

const viewedTool = (tool: Tool): string =>
  JSON.stringify({
    ...membersOfTool(tool),
    ...(tool.view === undefined ? {} : { _meta: { ui: { resourceUri: tool.view } } }),
  });

function membersOfTool(tool: Tool): object {
  const { name, title, description, input, output, needs, destructive, idempotent, openWorld } = tool;
  const readOnlyHint = tool.readOnly ?? needs.endsWith(":read");
  return {
    name,
    title,
    description,
    inputSchema: tool.shownInput ?? input,
    ...(output === undefined ? {} : { outputSchema: output }),
    annotations: {
      readOnlyHint,
      ...(readOnlyHint ? {} : { destructiveHint: destructive ?? false }),
      ...(readOnlyHint || idempotent !== true ? {} : { idempotentHint: true }),
      openWorldHint: openWorld ?? false,
    },
  };
}

const shownResource = ({ needs, uri, name, title, description, mimeType }: Resource) => ({
  needs,
  text: JSON.stringify({ uri, name, title, description, mimeType }),
});

const shownTemplate = ({ needs, uriTemplate, name, title, description, mimeType }: ResourceTemplate) => ({
  needs,
  text: JSON.stringify({ uriTemplate, name, title, description, mimeType }),
});

const shownPrompt = ({ needs, name, title, description, arguments: args }: Prompt) => ({
  needs,
  text: JSON.stringify({ name, title, description, arguments: args }),
});
