import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { Notebook } from "../../clients/support/mcp-clients.ts";
import { deciding } from "../../clients/support/person.ts";
import { world } from "../../world.ts";
import { type AnyClient, everythingUsedBy, structured } from "../support/every-use.ts";
import { ground } from "../support/ground.ts";

const WHO = { name: "test", version: "1" };
const ROSA = { name: "create_lead", arguments: { lead: { name: "Rosa Lund" } } };

type Connected = AnyClient & { close(): Promise<void> };

/**
 * One of the SDK's clients: how it connects, and how it handles the redirect from the authorization screen.
 */
interface Kit {
  name: string;
  connect(url: URL, notes: Notebook): Promise<Connected>;
  finish(url: URL, notes: Notebook, back: URL): Promise<void>;
}

const first: Kit = {
  name: "the SDK's first client",
  async connect(url, notes) {
    const client = new Client(WHO);
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider: notes }) as Transport);
    return client as unknown as Connected;
  },
  finish: async (url, notes, back) =>
    await new StreamableHTTPClientTransport(url, { authProvider: notes }).finishAuth(
      back.searchParams.get("code") ?? "",
    ),
};

const second = (mode: "legacy" | "auto" | { pin: "2026-07-28" }): Kit => ({
  name: `the SDK's second client (${JSON.stringify(mode)})`,
  async connect(url, notes) {
    const client = new NewClient(WHO, { versionNegotiation: { mode } });
    await client.connect(new NewTransport(url, { authProvider: notes }));
    return client as unknown as Connected;
  },
  finish: async (url, notes, back) =>
    await new NewTransport(url, { authProvider: notes }).finishAuth(back.searchParams),
});

type Asked = ReturnType<typeof deciding>;

/** Sends the person to the URL that the client stored, and connects with the resulting code. */
async function letIn(kit: Kit, url: URL, notes: Notebook, decide: Asked): Promise<Connected> {
  if (notes.address === undefined) {
    await assert.rejects(kit.connect(url, notes));
  }
  assert.ok(notes.address, "the person is sent to authorize");
  const back = await decide(notes.address);
  notes.address = undefined;
  await kit.finish(url, notes, back);
  return await kit.connect(url, notes);
}

for (const kit of [first, second("legacy"), second("auto"), second({ pin: "2026-07-28" })]) {
  test(`${kit.name} is let in by a person and uses every tool, resource, completion and prompt`, async () => {
    await using the = await world();
    const { browser, ...things } = await ground(the);
    const client = await letIn(kit, new URL(`${the.authUrl}/mcp`), new Notebook(), deciding(browser));
    await everythingUsedBy(client, things);
    await client.close();
  });
}

for (const kit of [second("legacy"), second("auto")]) {
  test(`${kit.name} that may read asks the person for writing when a tool needs it, and goes on`, async () => {
    await using the = await world();
    const { browser } = await ground(the);
    const url = new URL(`${the.authUrl}/mcp`);
    const notes = new Notebook();
    const reader = await letIn(kit, url, notes, deciding(browser, "approve", ["mcp:read"]));
    assert.equal(notes.held?.scope, "mcp:read");
    await assert.rejects(reader.callTool(ROSA), UnauthorizedError);
    const asked = notes.address?.searchParams.get("scope")?.split(" ").sort();
    assert.deepEqual(asked, ["mcp:read", "mcp:write"], "it asks for both");
    const writer = await letIn(kit, url, notes, deciding(browser));
    assert.ok(structured(await writer.callTool(ROSA)).lead);
    await Promise.all([reader.close(), writer.close()]);
  });
}

test("the SDK's first client with read access cannot gain writing by a refresh, and writes after a new sign-in", async () => {
  await using the = await world();
  const { browser } = await ground(the);
  const url = new URL(`${the.authUrl}/mcp`);
  const notes = new Notebook();
  const reader = await letIn(first, url, notes, deciding(browser, "approve", ["mcp:read"]));
  const before = notes.held?.access_token;
  await assert.rejects(reader.callTool(ROSA), /403 after trying upscoping/);
  assert.notEqual(notes.held?.access_token, before, "it refreshed");
  assert.ok(structured(await reader.callTool({ name: "get_context", arguments: {} })), "and still reads");
  notes.invalidateCredentials();
  const writer = await letIn(first, url, notes, deciding(browser));
  assert.ok(structured(await writer.callTool(ROSA)).lead);
  await Promise.all([reader.close(), writer.close()]);
});
