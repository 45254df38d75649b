import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type KeyActor, type World, world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { StreamReader } from "../support/stream.ts";
import { bodyOf } from "../support/v1.ts";
import { writer } from "../support/writing.ts";
import { beatEach } from "./support/beats.ts";
import { beforePolls } from "./support/polls.ts";

const open = (the: World, key: KeyActor) =>
  StreamReader.open(`${the.baseUrl}/api/v1/events/stream`, { Authorization: `Bearer ${key.text}` });

test("a heartbeat never moves a stream back, though it was opened further on than its process has read", async () => {
  await using the = await world();
  using _ = beatEach(300);
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const call = () => key.send("POST", `/api/v1/leads/${lead}/events`, { type: "call.made" });
  const first = await open(the, key);
  await call();
  await first.events(1);
  const polls = Promise.withResolvers<void>();
  using __ = beforePolls(() => polls.promise);
  await sleep(300);
  await call();
  const second = await open(the, key);
  await second.next(({ comment }) => comment === "heartbeat");
  const page = await key.send("GET", `/api/v1/events?cursor=${second.lastId}`);
  assert.deepEqual((await bodyOf<{ events: unknown[] }>(page)).events, []);
  polls.resolve();
  for (const stream of [first, second]) stream.close();
});
