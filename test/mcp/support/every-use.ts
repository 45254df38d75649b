import assert from "node:assert/strict";
import { LEADS } from "../../../src/surfaces/mcp/registry-of-leads.ts";
import type { Ids } from "../../api/support/two-projects.ts";

/** What an assistant works on: things of one project, and the initial versions of two leads. */
export interface Ground {
  ids: Ids;
  versions: { lead: number; other: number };
}

type Text = { text: string };
type Ref = { type: "ref/resource"; uri: string } | { type: "ref/prompt"; name: string };

/** What every client library offers, under the same names in both SDKs. */
export interface AnyClient {
  listTools(): Promise<{ tools: { name: string; annotations?: { readOnlyHint?: boolean } }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(of: { uri: string }): Promise<{ contents: object[] }>;
  listPrompts(): Promise<{ prompts: { name: string; arguments?: { name: string }[] | undefined }[] }>;
  getPrompt(of: { name: string; arguments: Record<string, string> }): Promise<{ messages: object[] }>;
  complete(of: { ref: Ref; argument: { name: string; value: string } }): Promise<{
    completion: { values: string[] };
  }>;
}

/** A use of each tool. A tool without a row here fails the tests. */
export const TOOL_USES: Record<string, (ground: Ground) => Record<string, unknown>> = {
  get_context: () => ({}),
  find_leads: () => ({ filter: { any: [{ all: [{ field: "name", op: "is_not_empty" }] }] }, limit: 2 }),
  list_changes: ({ ids }) => ({ lead: ids.lead }),
  query_leads: () => ({ filter: { any: [{ all: [{ field: "name", op: "is_not_empty" }] }] }, limit: 2 }),
  get_lead: ({ ids }) => ({ id: ids.lead }),
  get_lead_timeline: ({ ids }) => ({ id: ids.lead, limit: 5 }),
  summarize_leads: () => ({ group_by: ["status"] }),
  find_duplicates: ({ ids }) => ({ id: ids.lead }),
  export_leads: () => ({ format: "ndjson" }),
  list_datasets: () => ({}),
  read_dataset: ({ ids }) => ({ dataset: ids.dataset }),
  search: () => ({ query: "same-1@example.org" }),
  fetch: ({ ids }) => ({ id: ids.lead }),
  create_lead: () => ({ lead: { name: "Rosa Lund" }, on_duplicate: "fail" }),
  update_lead: ({ ids, versions }) => ({
    id: ids.lead,
    expected_version: versions.lead,
    set: { city: "Lisbon" },
  }),
  add_lead_event: ({ ids }) => ({ id: ids.lead, type: "note.added", data: { text: "Called back" } }),
  bulk_update_leads: () => ({
    ...{ search: "same-1@example.org", action: "add_tags", tags: ["seen"] },
    ...{ dry_run: false, expected_count: 1 },
  }),
  delete_lead: ({ ids, versions }) => ({ id: ids.other, expected_version: versions.other, confirm: true }),
  write_dataset: ({ ids }) => ({ dataset: ids.dataset, mode: "upsert", rows: [{ domain: "new.example" }] }),
  write_leads: ({ ids }) => ({
    action: "update",
    leads: [{ id: ids.lead, city: "Porto" }],
  }),
  log_events: ({ ids }) => ({ events: [{ lead: ids.lead, type: "note.added", text: "Called back" }] }),
  save_view: () => ({ name: "Found by a test", search: "test" }),
};

/** Tools whose use above changes something of the project's data. */
const CHANGING = [
  ...["write_leads", "log_events", "create_lead", "update_lead", "add_lead_event", "bulk_update_leads"],
  ...["delete_lead", "write_dataset", "save_view"],
];

/** Tools that need the permission to write. */
export const WRITING = [...CHANGING, "merge_leads", "undo"];

/** Listed tools that delete or change what is there. */
export const DESTRUCTIVE = ["bulk_update_leads", "merge_leads", "undo", "write_dataset", "write_leads"];

/** The tools that are listed; those that need an earlier change or a person's answer have tests of their own. */
export const LISTED = LEADS.sets?.default ?? [];

/** A use of each prompt. */
export const PROMPT_USES: Record<string, (ground: Ground) => Record<string, string>> = {
  daily_brief: () => ({ days: "7" }),
  qualify_lead: ({ ids }) => ({ lead_id: ids.lead }),
  draft_follow_up: ({ ids }) => ({ lead_id: ids.lead, channel: "phone" }),
  pipeline_review: () => ({}),
  clean_duplicates: () => ({ by: "email" }),
  plan_import: () => ({ columns: "Name,Email,Shoe size" }),
};

/** Returns the URI of a template for things of the ground. */
export function uriOf(template: string, { ids }: Ground): string {
  const known: Record<string, string> = {
    lead_id: ids.lead,
    dataset_id: ids.dataset,
    export_id: ids.export,
    view_id: ids.view,
  };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? assert.fail(`no ${name}`));
}

export const variableOf = (template: string): string => /\{(\w+)\}/.exec(template)?.[1] ?? "";

/** Returns the answer of a successful tool call, whose text must be the same JSON. */
export function structured(result: unknown, name = ""): Record<string, unknown> {
  const { structuredContent, content, isError } = result as {
    structuredContent: Record<string, unknown>;
    content: Text[];
    isError?: boolean;
  };
  assert.ok(isError !== true, `${name} ${content[0]?.text}`);
  assert.deepEqual(JSON.parse(content[0]?.text ?? ""), structuredContent, "the text is the same JSON");
  return structuredContent;
}

/** Uses everything that the server offers to this client: every tool, resource, template, completion and prompt. */
export async function everythingUsedBy(client: AnyClient, ground: Ground): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [...LISTED].sort());
  const changes: string[] = [];
  for (const [name, argumentsOf] of Object.entries(TOOL_USES)) {
    const result = await client.callTool({ name, arguments: argumentsOf(ground) });
    const { change_id: change } = structured(result, name);
    if (change !== undefined) changes.push(String(change));
    const names = CHANGING.includes(name) ? /^chg_/ : /^undefined$/;
    assert.match(String(change), names, `${name} names its change`);
  }
  const [first = ""] = changes;
  const undone = structured(await client.callTool({ name: "undo", arguments: { change_id: first } }), "undo");
  assert.match(String(undone.change_id), /^chg_/);
  const { resources } = await client.listResources();
  const { resourceTemplates: templates } = await client.listResourceTemplates();
  assert.equal(resources.length, 4);
  for (const uri of [
    ...resources,
    ...templates.map(({ uriTemplate }) => ({ uri: uriOf(uriTemplate, ground) })),
  ].map(({ uri }) => uri)) {
    const [content] = (await client.readResource({ uri })).contents as (Text & { mimeType: string })[];
    assert.equal(content?.mimeType, "application/json");
    assert.equal(typeof JSON.parse(content?.text ?? ""), "object", uri);
  }
  for (const { uriTemplate: uri } of templates) {
    const argument = { name: variableOf(uri), value: "" };
    const { values } = (await client.complete({ ref: { type: "ref/resource", uri }, argument })).completion;
    assert.ok(values.length > 0, `${uri} completes`);
  }
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map(({ name }) => name).sort(), Object.keys(PROMPT_USES).sort());
  for (const { name, arguments: args = [] } of prompts) {
    const { messages } = await client.getPrompt({ name, arguments: PROMPT_USES[name]?.(ground) ?? {} });
    assert.equal(messages.length, 2, name);
    for (const { name: argument } of args) {
      await client.complete({ ref: { type: "ref/prompt", name }, argument: { name: argument, value: "" } });
    }
  }
}
