import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { world } from "../world.ts";
import { Assistant, addLead } from "./assistant.ts";

const WHO = { name: "test", version: "1" };

/** What both clients can do, and what the promises below use. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

async function useEverything(client: AnyClient, id: string): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), ["get_lead", "query_leads"]);
  const page = structured(await client.callTool({ name: "query_leads", arguments: { limit: 1 } }));
  assert.equal((page.leads as { id: string }[])[0]?.id, id);
  const { lead } = structured(await client.callTool({ name: "get_lead", arguments: { id } }));
  assert.equal((lead as { name: string }).name, "Nadia Brandt");
}

function structured(result: unknown): Record<string, unknown> {
  const { structuredContent, content } = result as {
    structuredContent: Record<string, unknown>;
    content: { text: string }[];
  };
  assert.deepEqual(JSON.parse(content[0]?.text ?? ""), structuredContent, "the text is the same JSON");
  return structuredContent;
}

test("the SDK's first client lists and calls every tool", async () => {
  await using the = await world();
  const id = await addLead(the, { name: "Nadia Brandt" });
  const { url, token } = await Assistant.authorized(the);
  const client = new Client(WHO);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  await client.ping();
  await useEverything(client, id);
  await client.close();
});

for (const mode of ["legacy", "auto", { pin: "2026-07-28" }] as const) {
  test(`the SDK's second client lists and calls every tool (${JSON.stringify(mode)})`, async () => {
    await using the = await world();
    const id = await addLead(the, { name: "Nadia Brandt" });
    const { url, token } = await Assistant.authorized(the);
    const client = new NewClient(WHO, { versionNegotiation: { mode } });
    await client.connect(
      new NewTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
    );
    assert.equal(client.getNegotiatedProtocolVersion(), mode === "legacy" ? "2025-11-25" : "2026-07-28");
    await useEverything(client, id);
    await client.close();
  });
}
