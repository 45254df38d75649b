import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { instance } from "../../instance.ts";
import { settled } from "../../round-trips/count.ts";
import { type World, world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { type Message, StreamReader } from "../support/stream.ts";
import { writer } from "../support/writing.ts";
import { beforePolls } from "./support/polls.ts";
import { call, open } from "./support/streams.ts";

/** A stream of the panel, in a browser where the person has signed in. */
async function signedIn(the: World, person: World["person"]) {
  const browser = await the.signedIn(person);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const url = `${the.authUrl}/panel/api/${the.project.id}/v1/events/stream`;
  return { browser, cookie, stream: await StreamReader.open(url, { Cookie: cookie }) };
}

const codeOf = (message: Message | undefined): string => {
  assert.equal(message?.event, "end", JSON.stringify(message));
  return (JSON.parse(message?.data ?? "{}") as { code: string }).code;
};

test("a stream ends when its key is revoked, or expires, and others go on", async () => {
  await using the = await world();
  const writing = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const keys = await Promise.all([1, 2, 3].map(() => the.key(["leads:read"])));
  const [revoked, expired, stays] = (await Promise.all(keys.map((key) => open(the, key)))) as [
    StreamReader,
    StreamReader,
    StreamReader,
  ];
  await the.sql("UPDATE store.api_key SET revoked_at = moment() WHERE id = $1", [keys[0]?.id]);
  await the.sql("UPDATE store.api_key SET expires_at = moment() WHERE id = $1", [keys[1]?.id]);
  for (const stream of [revoked, expired])
    assert.equal(codeOf((await stream.rest()).at(-1)), "unauthenticated");
  const sent = await call(writing, lead);
  assert.equal((await stays.events(1))[0]?.id, sent);
  stays.close();
});

test("a stream of the panel ends when the person signs out, leaves the project, or the session expires, which reading does not extend", async () => {
  await using the = await world();
  const writing = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const people = await Promise.all(["Ana", "Bo", "Cy", "Di"].map((name) => the.newPerson(name)));
  for (const person of people) await the.join(person, the.project.id, "viewer");
  const [out, left, idle, stays] = (await Promise.all(people.map((person) => signedIn(the, person)))) as [
    Awaited<ReturnType<typeof signedIn>>,
    Awaited<ReturnType<typeof signedIn>>,
    Awaited<ReturnType<typeof signedIn>>,
    Awaited<ReturnType<typeof signedIn>>,
  ];
  // opening a stream is a use of the session, which is noted behind the answer
  await settled(the, the.project.id);
  await the.sql("UPDATE session SET used_at = now() - interval '11 hours' WHERE person_id = $1", [
    people[3]?.id,
  ]);
  const usedAt = async () =>
    await the.sql("SELECT used_at::text FROM session WHERE person_id = $1", [people[3]?.id]);
  const used = await usedAt();
  const { token } = (await (await out.browser.get("/panel/api/me")).json()) as { token: string };
  const signedOut = await fetch(`${the.authUrl}/panel/api/sign-out`, {
    method: "POST",
    headers: { Cookie: out.cookie, Origin: the.authUrl, "X-Form-Token": token },
  });
  assert.equal(signedOut.status, 204);
  await the.sql("DELETE FROM membership WHERE person_id = $1", [people[1]?.id]);
  await the.sql("UPDATE session SET used_at = now() - interval '13 hours' WHERE person_id = $1", [
    people[2]?.id,
  ]);
  for (const { stream } of [out, idle]) assert.equal(codeOf((await stream.rest()).at(-1)), "unauthenticated");
  assert.equal(codeOf((await left.stream.rest()).at(-1)), "forbidden");
  const sent = await call(writing, lead);
  assert.equal((await stays.stream.events(1))[0]?.id, sent);
  assert.deepEqual(await usedAt(), used);
  stays.stream.close();
  const gone = await fetch(`${the.authUrl}/panel/api/${the.project.id}/v1/events/stream`, {
    headers: { Cookie: out.cookie },
  });
  assert.equal(gone.status, 401);
});

test("a stream opened without a person at the screen does not extend the session", async () => {
  await using the = await world({ alone: true });
  const away = await the.newPerson("Ana");
  await the.join(away, the.project.id, "viewer");
  const browsers = await Promise.all([away, the.person].map((person) => the.signedIn(person)));
  await the.sql("UPDATE session SET used_at = now() - interval '11 hours'");
  const usedAt = async ({ id }: { id: string }) =>
    (await the.sql<{ used_at: string }>("SELECT used_at::text FROM session WHERE person_id = $1", [id]))[0]
      ?.used_at;
  const before = await Promise.all([away, the.person].map(usedAt));
  const streams: StreamReader[] = [];
  for (const [i, { cookies }] of browsers.entries())
    streams.push(
      await StreamReader.open(`${the.authUrl}/panel/api/${the.project.id}/v1/events/stream`, {
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(i === 0 ? { "X-Leadgate-Unattended": "1" } : {}),
      }),
    );
  while ((await usedAt(the.person)) === before[1]) await sleep(10);
  assert.equal(await usedAt(away), before[0]);
  for (const stream of streams) stream.close();
});

test("a process that stops ends its streams at once, and they go on elsewhere without a gap", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const other = await instance(the, "api");
  const stream = await open(other, key);
  const sent = [await call(key, lead)];
  const seen = (await stream.events(1)).map(({ id }) => id);
  const ended = other.end("SIGTERM");
  const last = (await stream.rest()).at(-1);
  assert.deepEqual([last?.comment, last?.data], ["the service is restarting", ""]);
  sent.push(await call(key, lead));
  const next = await open(the, key, { lastId: stream.lastId });
  seen.push(...(await next.events(1)).map(({ id }) => id));
  assert.deepEqual(seen, sent);
  next.close();
  assert.equal(await ended, 0);
});

test("streams outlive an outage of the database, and miss nothing of it", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const stream = await open(the, key);
  for (let n = 0; n < 3; n += 1) {
    await the.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'leadgate-%' AND pid <> pg_backend_pid()`,
    );
    const path = `/api/v1/leads/${lead}/events`;
    const add = async () => (await key.send("POST", path, { type: "call.made" })).status;
    while ((await add()) !== 201) await sleep(20);
  }
  const all = await the.sql<{ id: string }>("SELECT id FROM store.event ORDER BY tx, id");
  assert.ok(all.length >= 3);
  assert.deepEqual(
    (await stream.events(all.length)).map(({ id }) => id),
    all.map(({ id }) => id),
  );
  stream.close();
});

test("a stream ends with its key although what was committed cannot be read", async () => {
  await using the = await world();
  const key = await the.key(["leads:read"]);
  const stream = await open(the, key);
  using _ = beforePolls(() => {
    throw new Error("away");
  });
  await sleep(300);
  await the.sql("UPDATE store.api_key SET revoked_at = moment() WHERE id = $1", [key.id]);
  assert.equal(codeOf((await stream.rest()).at(-1)), "unauthenticated");
});

test("connections that close early, and HEAD, leave no stream open", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read"]);
  const url = `${the.baseUrl}/api/v1/events/stream`;
  const headers = { Authorization: `Bearer ${key.text}` };
  const head = await fetch(url, { method: "HEAD", headers });
  assert.deepEqual([head.status, head.headers.get("content-type")], [200, "text/event-stream"]);
  for (let ms = 0; ms < 60; ms += 3) {
    const signal = AbortSignal.timeout(ms);
    await fetch(url, { headers, signal }).then(
      (answer) => answer.body?.cancel(),
      () => undefined,
    );
  }
  await sleep(300);
  while (the.service.live.streams.open > 0) await sleep(20);
  assert.equal(the.service.live.figures.readers, 0);
});

test("open streams take no slots of a process that handles few requests at once", async () => {
  const ADMISSION = JSON.stringify({
    ...{ inFlight: 2, perOwner: 2, waiting: 10 },
    ...{ waitMs: 5_000, loopDelayMs: 60_000 },
  });
  await using the = await world({ env: { ADMISSION } });
  const key = await writer(the);
  const streams: StreamReader[] = [];
  while (streams.length < 6) streams.push(await open(the, key));
  const [lead = ""] = await addLeads(the, [{}]);
  const sent = await call(key, lead);
  for (const stream of streams) {
    assert.equal((await stream.events(1))[0]?.id, sent);
    stream.close();
  }
});
