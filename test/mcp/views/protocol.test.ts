import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { builtPanel } from "../../panel/support/built.ts";
import { type World, world } from "../../world.ts";
import { Assistant, answerOf, META } from "../support/assistant.ts";

const UI = "io.modelcontextprotocol/ui";
const TYPE = "text/html;profile=mcp-app";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** The view of each listed tool that has one. */
const VIEW_OF: Record<string, string> = {
  ...{ find_leads: "ui://results", summarize_leads: "ui://results", find_duplicates: "ui://results" },
  ...{ read_dataset: "ui://results", get_lead: "ui://lead", write_leads: "ui://change" },
  ...{ bulk_update_leads: "ui://change", merge_leads: "ui://change", log_events: "ui://change" },
  ...{ undo: "ui://change", save_view: "ui://change", write_dataset: "ui://change" },
};
const VIEWS = ["ui://results", "ui://lead", "ui://change"];

/** The most bytes of a list of all tools, as in schemas.test.ts. */
const MOST_BYTES = 14_336;
const MOST_VIEW_BYTES = 60_000;

const showing = (settings: object = { mimeTypes: [TYPE] }) => ({
  ...META,
  [CAPABILITIES]: { extensions: { [UI]: settings } },
});

interface Listed {
  name: string;
  _meta?: { ui: { resourceUri: string } };
}

const toolsIn = async (answer: Promise<Response>): Promise<Listed[]> =>
  (await answerOf(await answer)).result.tools as Listed[];

const viewsIn = (tools: readonly Listed[]) =>
  Object.fromEntries(tools.flatMap(({ name, _meta: meta }) => (meta ? [[name, meta.ui.resourceUri]] : [])));

const built = (): Promise<World> => world({ config: { panelDir: builtPanel() } });

test("tools name their views to clients that declare the extension, and to every client of earlier revisions", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const asked = (meta: object) => toolsIn(assistant.ask("tools/list", { _meta: meta }));
  const plain = await asked(META);
  assert.deepEqual(viewsIn(plain), {});
  for (const settings of [{ mimeTypes: [TYPE] }, { mimeTypes: ["text/html", TYPE] }, {}]) {
    const tools = await asked(showing(settings));
    assert.deepEqual(viewsIn(tools), VIEW_OF, JSON.stringify(settings));
    assert.deepEqual(
      tools.map(({ _meta: _, ...tool }) => tool),
      plain,
    );
  }
  assert.deepEqual(viewsIn(await asked(showing({ mimeTypes: ["text/uri-list"] }))), {});
  assert.deepEqual(viewsIn(await toolsIn(assistant.askEarlier("tools/list"))), VIEW_OF);
  const narrowed = new Assistant(the, assistant.token, "?tools=datasets");
  assert.deepEqual(Object.keys(viewsIn(await toolsIn(narrowed.askEarlier("tools/list")))).sort(), [
    ...["read_dataset", "write_dataset"],
  ]);
});

test("all tools fit 14 KB, with their views, too", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const answers = [
    assistant.ask("tools/list"),
    assistant.ask("tools/list", { _meta: showing() }),
    assistant.askEarlier("tools/list"),
  ];
  for (const answer of await Promise.all(answers)) {
    const bytes = Buffer.byteLength(await answer.text());
    assert.ok(bytes <= MOST_BYTES, `${bytes} bytes, ${bytes - MOST_BYTES} too many`);
  }
});

test("the server declares the extension, and a client without it gets the same answers", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const { result } = await answerOf(await assistant.ask("server/discover"));
  const { extensions } = result.capabilities as { extensions: object };
  assert.deepEqual(Object.keys(extensions).sort(), [
    ...["io.modelcontextprotocol/tasks", "io.modelcontextprotocol/ui"],
  ]);
  for (const [name, args] of [
    ["find_leads", {}],
    ["get_lead", { id: "nobody@example.com" }],
  ] as const) {
    const answers = [META, showing()].map(async (meta) => {
      const params = { name, arguments: args, _meta: meta };
      const text = await (await assistant.ask("tools/call", params)).text();
      return text.replaceAll(/req_\w+/g, "req_");
    });
    const [without, withViews] = await Promise.all(answers);
    assert.equal(withViews, without, name);
  }
});

test("a view is one document that needs nothing else, and only its URI leads to it", async () => {
  await using the = await built();
  const assistant = await Assistant.authorized(the);
  const { resources } = (await answerOf(await assistant.ask("resources/list", { _meta: showing() }))).result;
  assert.ok((resources as { uri: string }[]).every(({ uri }) => !uri.startsWith("ui:")));
  for (const uri of VIEWS) {
    const params = { uri, _meta: showing() };
    const answers = [
      await answerOf(await assistant.ask("resources/read", params, { "Mcp-Name": uri })),
      await answerOf(await assistant.askEarlier("resources/read", { uri })),
    ];
    for (const { result } of answers) {
      const [content, ...others] = result.contents as { text: string; mimeType: string; _meta: object }[];
      assert.deepEqual(others, []);
      const { text = "", ...rest } = content ?? {};
      assert.deepEqual(rest, { uri, mimeType: TYPE, _meta: { ui: { csp: {}, prefersBorder: true } } });
      assert.ok(Buffer.byteLength(text) <= MOST_VIEW_BYTES, `${uri}: ${Buffer.byteLength(text)} bytes`);
      assert.match(text, /^<!doctype html>/);
      assert.doesNotMatch(text, /<link|<script[^>]+src=|@import|url\(|\bimport\(/);
    }
  }
});

test("a view needs the permission of its tools, and is for applications that only propose, too", async () => {
  await using the = await built();
  const reader = await Assistant.authorized(the, { scopes: ["mcp:read"] });
  const asking = await Assistant.authorized(the, { asks: true });
  const statusOf = async (assistant: Assistant, uri: string) =>
    (await assistant.ask("resources/read", { uri }, { "Mcp-Name": uri })).status;
  assert.deepEqual(await Promise.all(VIEWS.map((uri) => statusOf(reader, uri))), [200, 200, 403]);
  assert.deepEqual(await Promise.all(VIEWS.map((uri) => statusOf(asking, uri))), [200, 200, 200]);
});

test("without a build, reading a view says how to build it, and tools answer", async () => {
  await using the = await world({ config: { panelDir: mkdtempSync(join(tmpdir(), "no-panel-")) } });
  const assistant = await Assistant.authorized(the);
  const uri = "ui://lead";
  const { error } = await answerOf(await assistant.ask("resources/read", { uri }, { "Mcp-Name": uri }));
  assert.equal(error.code, -32_603);
  assert.match(error.message, /not built yet.*npm run build/);
  assert.deepEqual(error.data, { code: "views_not_built" });
  assert.equal((await assistant.call("find_leads")).isError, undefined);
});
