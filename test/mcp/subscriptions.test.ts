import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Database } from "../../src/db/pool/database.ts";
import { addLeads } from "../api/support/leads.ts";
import { writer } from "../api/support/writing.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { Assistant, answerOf } from "./support/assistant.ts";
import { messagesOf } from "./support/messages-of.ts";

large("a subscriber of the project is notified that it changed, not that time passed", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const { result: discovered } = await answerOf(await assistant.ask("server/discover"));
  const { resources } = discovered.capabilities as { resources: object };
  assert.deepEqual(resources, { listChanged: true, subscribe: true });
  const notifications = { resourceSubscriptions: ["leads://project"] };
  const messages = messagesOf(await assistant.ask("subscriptions/listen", { notifications }));
  await messages.next();
  const told = messages.next();
  // What no event announces is read every fifteen seconds.
  assert.equal(await Promise.race([told, sleep(16_500, "nothing")]), "nothing");
  await the.sql("UPDATE store.project SET name = 'Renamed' WHERE project_id = $1", [the.project.id]);
  assert.equal((await told).value?.method, "notifications/resources/updated");
  await messages.return(undefined);
});

test("subscribers of a lead and of its timeline are notified by its events, and by no others", async () => {
  await using the = await world();
  const key = await writer(the);
  const assistant = await Assistant.authorized(the);
  const [one, two] = (await addLeads(the, [{}, {}])) as [string, string];
  const uris = [`leads://leads/${one}`, `leads://leads/${one}/timeline`, `leads://leads/${two}/timeline`];
  const listening = await assistant.ask("subscriptions/listen", {
    notifications: { resourceSubscriptions: uris },
  });
  const messages = messagesOf(listening);
  await messages.next();
  const next = async () => (((await messages.next()).value?.params ?? {}) as { uri?: string }).uri;
  // What was read at first is compared with, so an early change may be part of it.
  const reads = () => the.service.live.figures.polls;
  const begun = reads();
  while (reads() < begun + 5) await sleep(20);
  await key.send("PATCH", `/api/v1/leads/${one}`, { name: "Bea" });
  assert.deepEqual([await next(), await next()].sort(), uris.slice(0, 2));
  await key.send("POST", `/api/v1/leads/${two}/events`, { type: "call.made" });
  assert.equal(await next(), uris[2]);
  await messages.return(undefined);
});

test("many subscriptions cost as many statements as one while nothing happens", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const { live } = the.service;
  const open: AsyncGenerator[] = [];
  for (let n = 0; n < 8; n += 1) {
    const notifications = { toolsListChanged: true, resourceSubscriptions: ["leads://schema"] };
    const messages = messagesOf(await assistant.ask("subscriptions/listen", { notifications }));
    await messages.next();
    open.push(messages);
  }
  const sent: string[] = [];
  const { behind } = Database.prototype;
  Database.prototype.behind = function (...given) {
    sent.push("a statement behind a door");
    return behind.apply(this, given);
  };
  try {
    const { polls, statements } = live.figures;
    // The first reads of the resources come with the first poll.
    while (live.figures.polls < polls + 10) await sleep(20);
    sent.length = 0;
    while (live.figures.polls < polls + 25) await sleep(20);
    assert.deepEqual(sent, []);
    const each = (live.figures.statements - statements) / (live.figures.polls - polls);
    assert.ok(each < 1.5, String(each));
  } finally {
    Database.prototype.behind = behind;
  }
  for (const messages of open) await messages.return(undefined);
});
