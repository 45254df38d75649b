import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../../large.ts";
import { type KeyActor, world } from "../../world.ts";
import { refusalOf } from "../support/writing.ts";
import { open } from "./support/streams.ts";

test("a credential has at most 20 streams of a process; what it closes is free again", async () => {
  await using the = await world();
  const key = await the.key(["leads:read"]);
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(the, key)));
  const refused = await key.send("GET", "/api/v1/events/stream");
  assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
  const { status, code } = await refusalOf(refused);
  assert.deepEqual([status, code], [429, "too_many_streams"]);
  const other = await the.key(["leads:read"]);
  (await open(the, other)).close();
  streams.pop()?.close();
  while (the.service.live.streams.open > 19) await sleep(10);
  streams.push(await open(the, key));
  for (const stream of streams) stream.close();
  const write = await the.key(["leads:write"]);
  assert.equal((await write.send("GET", "/api/v1/events/stream")).status, 403);
});

large(
  "a process has at most 1,000 streams, also if the last ones are opened at once; one that closes makes room",
  async () => {
    await using the = await world();
    const keys = await Promise.all(Array.from({ length: 52 }, () => the.key(["leads:read"])));
    const ask = (key: KeyActor) => key.send("GET", "/api/v1/events/stream");
    const streams: Response[] = [];
    const refused: Response[] = [];
    const askAll = async (those: readonly KeyActor[]) => {
      const asked = those.flatMap((key) => Array.from({ length: 20 }, () => ask(key)));
      for (const answer of await Promise.all(asked)) (answer.status === 200 ? streams : refused).push(answer);
    };
    const other = keys.pop() ?? assert.fail();
    try {
      while (keys.length > 3) await askAll(keys.splice(0, 4));
      assert.deepEqual([streams.length, refused.length], [960, 0]);
      await askAll(keys);
      assert.deepEqual([streams.length, refused.length], [1_000, 20]);
      refused.push(await ask(other));
      for (const answer of refused) {
        assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
        const { status, code, message } = await refusalOf(answer);
        assert.deepEqual([status, code], [429, "too_many_streams"]);
        assert.equal(message, "This process serves as many streams as it can. Try again shortly.");
      }
      assert.equal((await other.send("GET", "/api/v1/events")).status, 200, "other calls are served");
      await streams.pop()?.body?.cancel();
      while (the.service.live.streams.open === 1_000) await sleep(10);
      streams.push(await ask(other));
      assert.equal(streams.at(-1)?.status, 200);
      assert.equal((await ask(other)).status, 429);
    } finally {
      await Promise.all(streams.map(({ body }) => body?.cancel()));
    }
  },
);
