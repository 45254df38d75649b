import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { connection } from "./support/connection.ts";
import { stopped } from "./support/stopping.ts";

large(
  "after SIGTERM an instance is not ready, but serves old and new connections for DRAIN_SECONDS, and each answer ends its own",
  async () => {
    await using the = await world({ env: { ROLE: "api", DRAIN_SECONDS: "3" } });
    const one = await instance(the, "all");
    for (const host of [one.authUrl, one.baseUrl]) {
      const early = await connection(host);
      assert.match(await early.ask("/readyz"), /\r\nconnection: keep-alive/);
    }
    const idle = await Promise.all([0, 1, 2].map(() => connection(one.authUrl)));
    for (const { ask } of idle) assert.match(await ask("/livez"), /^http\/1\.1 200 /);
    const end = stopped(one);
    for (const host of [one.authUrl, one.baseUrl]) {
      while ((await fetch(`${host}/readyz`)).ok) await sleep(20);
      const answer = await fetch(`${host}/readyz`);
      assert.deepEqual(
        [answer.status, answer.headers.get("retry-after"), await answer.json()],
        [503, "2", { status: "draining", reason: "the service is stopping" }],
      );
    }
    const probe = await connection(one.baseUrl);
    assert.match(await probe.ask("/livez"), /^http\/1\.1 200 .*\r\nconnection: close/s);
    for (const { ask, closed } of [...idle, await connection(one.authUrl)]) {
      const head = await ask("/.well-known/oauth-authorization-server");
      assert.match(head, /^http\/1\.1 200 .*\r\nconnection: close/s);
      await closed;
    }
    await end;
  },
);
