import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { endEverything } from "../../../src/domain/upkeep/end-everything.ts";
import { world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { writer } from "../support/writing.ts";
import { beforePolls } from "./support/polls.ts";
import { call, open } from "./support/streams.ts";

test("a stream goes on if a backup was restored before it was opened, while nobody streamed", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const former = await open(the, key);
  await call(key, lead);
  await former.events(1);
  former.close();
  while (the.service.live.figures.readers > 0) await sleep(10);
  await sleep(300);
  await endEverything(the.service);
  const stream = await open(the, key);
  for (let n = 0; n < 3; n += 1) {
    const sent = await call(key, lead);
    assert.equal((await stream.events(1))[0]?.id, sent);
  }
  stream.close();
});

test("a restored backup ends the streams opened before it, and none of those opened since", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const former = await open(the, key);
  const first = await call(key, lead);
  assert.equal((await former.events(1))[0]?.id, first);
  const polls = Promise.withResolvers<void>();
  using _ = beforePolls(() => polls.promise);
  await sleep(300);
  await endEverything(the.service);
  const stream = await open(the, key);
  const sent = [await call(key, lead)];
  polls.resolve();
  const end = (await former.rest()).at(-1);
  assert.deepEqual([end?.event, JSON.parse(end?.data ?? "{}").code], ["end", "cursor_of_former_epoch"]);
  sent.push(await call(key, lead));
  assert.deepEqual(
    (await stream.events(2)).map(({ id }) => id),
    sent,
  );
  stream.close();
});
