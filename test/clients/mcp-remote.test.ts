import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { addLead } from "../mcp/support/assistant.ts";
import { post } from "../oauth/support/application.ts";
import { freePort, type World, world } from "../world.ts";
import { deciding, takeAllBack } from "./support/person.ts";
import { started, until } from "./support/remote-process.ts";

async function storedTokens(folder: string): Promise<{ access_token: string }> {
  const files = await readdir(folder, { recursive: true });
  const name = files.find((file) => file.endsWith("tokens.json")) ?? "";
  return JSON.parse(await readFile(join(folder, name), "utf8")) as { access_token: string };
}

/** How often an authorized client was told that there is no stream for it. */
async function refusedStreams(the: World): Promise<number> {
  const metrics = await (await fetch(`${the.authUrl}/metrics`)).text();
  const counted = /^leadgate_request_seconds_count\{[^}]*method="GET",route="\/mcp",status="405"\} (\d+)/m;
  return Number(counted.exec(metrics)?.[1] ?? 0);
}

test("mcp-remote authorizes a desktop assistant, refreshes by itself, restarts without asking, and asks again after a revocation", async () => {
  await using the = await world();
  await addLead(the, { name: "Nadia Brandt" });
  const folder = await mkdtemp(join(tmpdir(), "leadgate-remote-"));
  const browser = await the.signedIn();
  const port = await freePort();
  const running: { client: Client }[] = [];
  const start = async () => {
    const one = await started(the, folder, port);
    running.push(one);
    return one;
  };
  const leads = async (client: Client): Promise<string> =>
    JSON.stringify(await client.callTool({ name: "query_leads", arguments: { limit: 1 } }));
  try {
    const first = await start();
    const connected = first.client.connect(first.transport);
    const back = await deciding(browser)(await until(first.asked, first.printed));
    assert.equal((await fetch(back)).status, 200);
    await connected;
    assert.match(await leads(first.client), /Nadia Brandt/);

    // It asks for a stream behind its calls, twice, and renews its tokens for each refusal by itself: one that still
    // waits when the token is revoked would present the refresh token a second time, which is a replay.
    while ((await refusedStreams(the)) < 2) await setTimeout(20);
    const before = await storedTokens(folder);
    await post(the, "/api/oauth/revoke", { token: before.access_token });
    assert.match(await leads(first.client), /Nadia Brandt/, "it refreshes without the person");
    assert.notEqual((await storedTokens(folder)).access_token, before.access_token);
    await first.client.close();

    const second = await start();
    await second.client.connect(second.transport);
    assert.match(await leads(second.client), /Nadia Brandt/);
    assert.equal(second.asked(), undefined, "its stored tokens still count");

    await takeAllBack(browser);
    const late = leads(second.client).catch(() => undefined);
    await until(second.asked, second.printed);
    await second.client.close();
    await late;
  } finally {
    await Promise.all(running.map(({ client }) => client.close()));
    await rm(folder, { recursive: true, force: true });
  }
});
