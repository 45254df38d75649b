import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { large } from "../large.ts";
import { addLead } from "../mcp/support/assistant.ts";
import { post } from "../oauth/support/application.ts";
import { freePort, type World, world } from "../world.ts";
import { deciding, takeAllBack } from "./support/person.ts";
import { noRemote, started, until } from "./support/remote-process.ts";

async function storedTokens(folder: string): Promise<{ access_token: string }> {
  const files = await readdir(folder, { recursive: true });
  const name = files.find((file) => file.endsWith("tokens.json")) ?? "";
  return JSON.parse(await readFile(join(folder, name), "utf8")) as { access_token: string };
}

/** Whether the service has refused both of the streams for which an authorized mcp-remote asks: it has none. */
async function bothStreamsRefused(the: World): Promise<true | undefined> {
  const metrics = await (await fetch(`${the.authUrl}/metrics`)).text();
  const refused = /^leadgate_request_seconds_count\{[^}]*method="GET",route="\/mcp",status="405"\} 2$/m;
  return refused.test(metrics) || undefined;
}

large(
  "mcp-remote authorizes a desktop assistant, refreshes by itself, restarts without asking, and asks again after a revocation",
  {
    skip: noRemote,
  },
  async () => {
    await using the = await world({ alone: true });
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

      // It asks for two streams by itself. If the token were revoked while one of these requests is on its way, it would
      // refresh for that request and for the next call with the same refresh token, which is a replay.
      await until(() => bothStreamsRefused(the), first.printed);
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
  },
);
