import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../../large.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { StreamReader } from "../support/stream.ts";
import { bodyOf } from "../support/v1.ts";
import { writer } from "../support/writing.ts";
import { beatEach } from "./support/beats.ts";
import { beforePolls } from "./support/polls.ts";
import { open } from "./support/streams.ts";

const PATH = "/api/v1/events/stream";

/** Opens a stream of which the client has read the first bytes, and then nothing. */
async function stalled(url: string, header: string): Promise<Socket> {
  const { port, hostname, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n${header}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  return socket;
}

/** Records many events in one commit. */
async function addMany(key: KeyActor, leads: readonly string[], count: number, size: number): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => ({
    ...{ lead_id: leads[n % leads.length], type: "note.added", data: { text: "x".repeat(size) } },
  }));
  await bodyOf(await key.send("POST", "/api/v1/events/batch", { events }));
}

/** The ids of all events, in the feed's order. */
const all = async (the: World): Promise<string[]> =>
  (await the.sql<{ id: string }>("SELECT id FROM store.event ORDER BY tx, id")).map(({ id }) => id);

const idsIn = (text: string) => [...text.matchAll(/"id":"(evt_\w+)","lead_id"/g)].map(([, id]) => id);

large("a reader that does not read is cut off, is told so, and continues without a gap", async () => {
  await using the = await world();
  using _ = beatEach(500);
  const key = await writer(the);
  const leads = await addLeads(the, [{}, {}]);
  const socket = await stalled(`${the.baseUrl}${PATH}`, `Authorization: Bearer ${key.text}`);
  for (let n = 0; n < 4; n += 1) await addMany(key, leads, 400, 16_000);
  while (the.service.live.streams.open > 0) await sleep(10);
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => {
    text += part;
  });
  socket.resume();
  await new Promise((resolve) => socket.once("close", resolve).once("end", resolve));
  assert.match(text, /event: end\ndata: \{"code":"too_slow"/);
  const ids = idsIn(text);
  const cursor = [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? "";
  const next = await open(the, key, { lastId: cursor });
  ids.push(...(await next.events(1_600 - ids.length)).map(({ id }) => id));
  next.close();
  assert.deepEqual(ids, await all(the));
});

/** How many events are committed at once; with many more, a busy machine cuts readers off that share it with their test. */
const EACH = 150;

large("readers that read have each event once, however much is committed at once", async () => {
  await using the = await world({ alone: true });
  // A busy machine may not read for as long as a heartbeat takes, which is not what is asked here.
  using _ = beatEach(3_600_000);
  const key = await writer(the);
  const leads = await addLeads(the, [{}, {}]);
  const fast = await Promise.all([1, 2, 3].map(() => open(the, key)));
  const slow = await stalled(`${the.baseUrl}${PATH}`, `Authorization: Bearer ${key.text}`);
  let text = "";
  slow.setEncoding("latin1").on("data", (part: string) => {
    text += part;
    slow.pause();
    setTimeout(() => slow.resume(), 2);
  });
  slow.resume();
  const sizes = [3_000, 16_000, 3_000, 6_000];
  const writing = (async () => {
    for (const size of sizes) await addMany(key, leads, EACH, size);
  })();
  const seen = await Promise.all(fast.map((stream) => stream.events(sizes.length * EACH)));
  await writing;
  const ids = await all(the);
  for (const events of seen)
    assert.deepEqual(
      events.map(({ id }) => id),
      ids,
    );
  while (!text.includes(`"id":"${ids.at(-1)}"`)) await sleep(20);
  assert.deepEqual(idsIn(text), ids);
  for (const stream of fast) stream.close();
  slow.destroy();
});

large("of what changed while a reader did not read, it is sent only who views leads last", async () => {
  await using the = await world();
  // Without a heartbeat the reader is not cut off, however long the changes take.
  using _ = beatEach(3_600_000);
  const ana = await the.newPerson("Ana");
  await the.join(ana, the.project.id, "viewer");
  const leads = await addLeads(the, [{}, {}, {}, {}, {}, {}, {}, {}]);
  const url = `${the.authUrl}/panel/api/${the.project.id}/v1/events/stream`;
  const [other = "", own = ""] = (await Promise.all([ana, the.person].map((who) => the.signedIn(who)))).map(
    ({ cookies }) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
  );
  const socket = await stalled(url, `Cookie: ${own}`);
  const reader = await StreamReader.open(url, { Cookie: other });
  const bo = await the.newPerson("Bo");
  await the.join(bo, the.project.id, "viewer");
  for (const lead of leads)
    await the.sql(
      "INSERT INTO store.presence (project_id, lead_id, person_id, viewer, seen_at) VALUES ($1, $2, $3, 'x', moment() + interval '1 hour')",
      [the.project.id, lead, bo.id],
    );
  const changes = 6;
  for (let n = 1; n <= changes; n += 1) {
    await the.sql("UPDATE person SET name = $2 WHERE id = $1", [bo.id, `Bo ${n} ${"x".repeat(1_000_000)}`]);
    await reader.next(({ event, data }) => event === "presence" && data.includes(`Bo ${n} `));
  }
  let text = "";
  const found = () =>
    [...text.matchAll(/^event: presence\ndata: \[.*?"Bo (\d+) /gm)].map(([, n]) => Number(n));
  socket.setEncoding("latin1").on("data", (part: string) => {
    text += part.replaceAll(/x{9,}/g, "x");
  });
  socket.resume();
  while (found().at(-1) !== changes) {
    assert.ok(!socket.readableEnded, `the stream ended after ${found()}`);
    await sleep(100);
  }
  assert.ok(found().length <= 3, `${found()}`);
  reader.close();
  socket.destroy();
});

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
