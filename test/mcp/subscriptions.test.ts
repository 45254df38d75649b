import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { world } from "../world.ts";
import { Assistant, answerOf } from "./support/assistant.ts";
import { messagesOf } from "./support/messages-of.ts";

test("a subscriber of the project is notified that it changed, not that time passed", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const { result: discovered } = await answerOf(await assistant.ask("server/discover"));
  const { resources } = discovered.capabilities as { resources: object };
  assert.deepEqual(resources, { listChanged: true, subscribe: true });
  const notifications = { resourceSubscriptions: ["leads://project"] };
  const messages = messagesOf(await assistant.ask("subscriptions/listen", { notifications }));
  await messages.next();
  const told = messages.next();
  // Resources are read every five seconds.
  assert.equal(await Promise.race([told, sleep(6_500, "nothing")]), "nothing");
  await the.sql("UPDATE store.project SET name = 'Renamed' WHERE project_id = $1", [the.project.id]);
  assert.equal((await told).value?.method, "notifications/resources/updated");
  await messages.return(undefined);
});
