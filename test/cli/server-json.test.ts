import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../large.ts";
import { answerOf } from "../mcp/support/assistant.ts";
import { Caller } from "../mcp/support/using.ts";
import { world } from "../world.ts";
import { leadgate, ran } from "./support/leadgate.ts";

large(
  "server-json describes an installation to the MCP registry, and refuses an address that others cannot reach",
  async () => {
    await using the = await world();
    const env = { ...the.env, PATH: process.env.PATH ?? "", AUTH_URL: "https://leads.example.com" };
    const { code, out, err } = await ran(["server-json", "--name", "com.example/leads"], { env, input: "" });
    assert.equal(code, 0, err);
    const entry = JSON.parse(out) as Record<string, string>;
    // The registry's schema of 2025-12-11: at most 100 characters of description.
    assert.ok((entry.description ?? "").length <= 100);
    assert.deepEqual(
      [entry.name, entry.websiteUrl, entry.remotes],
      [
        "com.example/leads",
        "https://leads.example.com",
        [{ type: "streamable-http", url: "https://leads.example.com/mcp" }],
      ],
    );
    assert.match(
      (await leadgate(the, ["server-json", "--name", "com.example/leads"])).err,
      /AUTH_URL is http:/,
    );
    const unnamed = await ran(["server-json", "--name", "leads"], { env, input: "" });
    assert.deepEqual([unnamed.code, /a namespace that you own/.test(unnamed.err)], [2, true]);
  },
);

test("the server introduces itself with its page and an icon that can be fetched, in each revision that has them", async () => {
  await using the = await world();
  const { assistant } = await Caller.in(the);
  const { result: discovered } = await answerOf(await assistant.ask("server/discover"));
  const greeting = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  };
  const { result: greeted } = await answerOf(await assistant.askEarlier("initialize", greeting));
  const { _meta: meta } = discovered as { _meta: Record<string, object> };
  const info = meta["io.modelcontextprotocol/serverInfo"] as {
    websiteUrl: string;
    icons: [{ src: string; mimeType: string }];
  };
  assert.deepEqual(info, greeted.serverInfo);
  assert.equal(info.websiteUrl, the.authUrl);
  const icon = await fetch(info.icons[0].src);
  assert.deepEqual([icon.status, icon.headers.get("content-type")], [200, info.icons[0].mimeType]);
});
