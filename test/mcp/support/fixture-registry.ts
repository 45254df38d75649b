import { setTimeout as sleep } from "node:timers/promises";
import { type TSchema, Type } from "typebox";
import { faultFinder } from "../../../src/domain/operation/input-faults.ts";
import {
  type Call,
  Content,
  type Prompt,
  type Questions,
  type Registry,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from "../../../src/surfaces/mcp/protocol/registry.ts";
import { ASKING_PROMPT, ASKING_TOOLS } from "./fixture-questions.ts";
import { FIXTURE_TASKS, TASK_TOOLS } from "./fixture-tasks.ts";

// What the conformance suite expects of a server, verbatim.

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const NOTHING = Type.Object({});

const text = (words: string) => ({ type: "text", text: words });
const image = { type: "image", data: PNG, mimeType: "image/png" };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: "resource",
  resource: { uri, mimeType, text: words },
});

/** Returns a tool of the fixtures, which needs no database. */
function fixture(
  name: string,
  run: (call: Call, args: Record<string, unknown>) => Promise<object | Questions | Content>,
  input = NOTHING as ReturnType<typeof Type.Object>,
): Tool {
  return {
    name,
    title: name,
    description: `A fixture: ${name}.`,
    input,
    needs: "leads:read",
    faults: faultFinder(input),
    run: (call, args) => run(call, args as Record<string, unknown>),
  };
}

/** A schema with the keywords of JSON Schema 2020-12 that a server must pass on unchanged. */
const WORDY = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const says = (name: string, ...blocks: object[]): Tool => fixture(name, async () => new Content(blocks));

const inSteps = (name: string, step: (call: Call, number: number) => void): Tool =>
  fixture(name, async (call) => {
    for (const number of [0, 1, 2]) {
      step(call, number);
      await sleep(50);
    }
    return new Content([text("done")]);
  });

/** Returns the tools of the suite. `changed` is called when one of them pretends that a list changed. */
const tools = (changed: (what: "toolsListChanged" | "promptsListChanged") => void): Tool[] => [
  says("test_simple_text", text("This is a simple text response for testing.")),
  says("test_image_content", image),
  says("test_audio_content", { type: "audio", data: WAV, mimeType: "audio/wav" }),
  says(
    "test_embedded_resource",
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ),
  says(
    "test_multiple_content_types",
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ),
  fixture(
    "test_error_handling",
    async () => new Content([text("This tool intentionally returns an error for testing")], true),
  ),
  inSteps("test_tool_with_progress", (call, number) => call.progress(number * 50, 100)),
  says("test_logging_tool", text("done")),
  fixture("test_trigger_tool_change", async () => {
    changed("toolsListChanged");
    return new Content([text("changed")]);
  }),
  fixture("test_trigger_prompt_change", async () => {
    changed("promptsListChanged");
    return new Content([text("changed")]);
  }),
  fixture("test_structured", async (_call, { value }) => ({ value: value ?? null })),
  fixture("test_throws", async () => {
    throw new Error("a secret of the inside");
  }),
  fixture("test_waits", async (call) => {
    call.progress(0);
    await new Promise((resolve) => call.signal.addEventListener("abort", resolve, { once: true }));
    cancelled.count += 1;
    return new Content([text("cancelled")]);
  }),
  fixture(
    "test_headers",
    async (_call, args) => args,
    Type.Object({
      region: Type.Optional(Type.String({ "x-mcp-header": "Region" })),
      where: Type.Optional(Type.Object({ row: Type.Optional(Type.Integer({ "x-mcp-header": "Row" })) })),
    }),
  ),
  {
    ...fixture("json_schema_2020_12_tool", async () => new Content([text("ok")])),
    input: WORDY as unknown as TSchema,
  },
  { ...fixture("test_writes", async () => ({ written: true })), needs: "leads:write" },
];

/** How many calls of `test_waits` ended because their client disconnected. */
export const cancelled = { count: 0 };

const reads = { needs: "leads:read" } as const;
const words = (name: string) => ({ name, title: name, description: `A fixture: ${name}.`, ...reads });

const RESOURCES: Resource[] = [
  {
    ...words("static-text"),
    uri: "test://static-text",
    mimeType: "text/plain",
    read: async () => ({ text: "This is the content of the static text resource." }),
  },
  {
    ...words("static-binary"),
    uri: "test://static-binary",
    mimeType: "image/png",
    read: async () => ({ blob: PNG }),
  },
  {
    ...words("watched"),
    uri: "test://watched-resource",
    mimeType: "text/plain",
    read: async () => {
      watched.reads += 1;
      return { text: `version ${watched.version}` };
    },
  },
];

/** The content of `test://watched-resource`, and how often it was read. */
export const watched = { version: 1, reads: 0 };

const TEMPLATES: ResourceTemplate[] = [
  {
    ...words("template"),
    uriTemplate: "test://template/{id}/data",
    mimeType: "application/json",
    match(uri) {
      const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
      return id === undefined ? undefined : { id };
    },
    read: async (_call, { id }) =>
      id === "none"
        ? undefined
        : { text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) },
    complete: async (_call, _variable, typed) => ["123", "124", "200"].filter((id) => id.startsWith(typed)),
  },
];

const user = (content: object) => ({ role: "user", content });
const argument = (name: string) => ({ name, description: `The argument ${name}.`, required: true });

const PROMPTS: Prompt[] = [
  {
    ...words("test_simple_prompt"),
    arguments: [],
    get: async () => ({ messages: [user(text("This is a simple prompt for testing."))] }),
  },
  {
    ...words("test_prompt_with_arguments"),
    arguments: [argument("arg1"), argument("arg2")],
    get: async (_call, { arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
    complete: async (_call, _argument, typed) =>
      ["paris", "park", "party"].filter((word) => word.startsWith(typed)),
  },
  {
    ...words("test_prompt_with_embedded_resource"),
    arguments: [argument("resourceUri")],
    get: async (_call, { resourceUri = "" }) => ({
      messages: [
        user(embedded(resourceUri, "text/plain", "Embedded resource content for testing.")),
        user(text("Please process the embedded resource above.")),
      ],
    }),
  },
  {
    ...words("test_prompt_with_image"),
    arguments: [],
    get: async () => ({ messages: [user(image), user(text("Please analyze the image above."))] }),
  },
  ASKING_PROMPT,
];

/** Returns the registry of the conformance suite. */
export const fixtureRegistry = (
  changed: (what: "toolsListChanged" | "promptsListChanged") => void,
): Registry => ({
  tools: [...tools(changed), ...ASKING_TOOLS, ...TASK_TOOLS],
  resources: RESOURCES,
  templates: TEMPLATES,
  prompts: PROMPTS,
  tasks: FIXTURE_TASKS,
  server: { name: "fixtures", title: "Fixtures", version: "1" },
  instructions: "For tests.",
});
