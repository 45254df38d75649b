import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { deciding } from "../../clients/support/person.ts";
import { noRemote, started, until } from "../../clients/support/remote-process.ts";
import { freePort, world } from "../../world.ts";
import { type AnyClient, everythingUsedBy } from "../support/every-use.ts";
import { ground } from "../support/ground.ts";

test("a desktop assistant behind mcp-remote is authorized by a person and uses everything", {
  skip: noRemote,
}, async () => {
  await using the = await world();
  const { browser, ...things } = await ground(the);
  const folder = await mkdtemp(join(tmpdir(), "leadgate-remote-"));
  const { client, transport, asked, printed } = await started(the, folder, await freePort());
  try {
    const connected = client.connect(transport);
    const back = await deciding(browser)(await until(asked, printed));
    assert.equal((await fetch(back)).status, 200);
    await connected;
    await everythingUsedBy(client as unknown as AnyClient, things);
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
});
