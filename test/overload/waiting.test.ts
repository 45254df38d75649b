import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";
import { acceptedKey, admission, placesOf, stuck, until } from "./support/full.ts";

/** Opens a connection and sends the start of a request. */
async function opened(host: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(host);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

test("bodies that arrive slowly, uploads too, take no place", async () => {
  await using the = await world({ env: admission({ inFlight: 1, perOwner: 1 }) });
  const key = await acceptedKey(the);
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.text}\r\nContent-Type: ${type}\r\nContent-Length: 5000\r\n\r\n{`;
  const json = ["/api/v1/leads", "/api/v1/leads/search", "/api/leads/query/"];
  const heads = [...json.map((path) => head(path, "application/json")), head("/api/v1/imports", "text/csv")];
  const slow = await Promise.all([...heads, ...heads].map((text) => opened(the.baseUrl, text)));
  // The uploads have begun: their handlers read the bodies.
  while ((await the.sql("SELECT id FROM store.import")).length < 2) await sleep(20);
  for (let i = 0; i < 3; i += 1) assert.equal((await key.send("GET", "/api/v1/statuses")).status, 200);
  for (const socket of slow) socket.destroy();
});

large("an export whose reader is slow takes no place", async () => {
  await using the = await world({ env: admission({ inFlight: 1, perOwner: 1 }) });
  const key = await acceptedKey(the);
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, company)
     SELECT $1, 'lead_' || lpad(n::text, 26, '0'), repeat('n', 180), repeat('c', 180) FROM generate_series(1, 40000) AS n`,
    [the.project.id],
  );
  const body = JSON.stringify({ project_id: the.project.id, format: "ndjson" });
  const exporting = await opened(
    the.baseUrl,
    `POST /api/leads/export/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.text}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [first] = (await once(exporting, "data")) as [Buffer];
  exporting.pause();
  assert.match(first.toString("latin1"), /^HTTP\/1\.1 200 /);
  assert.equal((await key.send("GET", "/api/v1/statuses")).status, 200);
  assert.deepEqual(await placesOf(the), [0, 0]);
  exporting.destroy();
});

test("a caller that hangs up while it waits leaves the queue, and one whose call is in flight keeps its place", async () => {
  await using the = await world({ env: admission({ inFlight: 1, perOwner: 1 }) });
  const key = await acceptedKey(the);
  const request = (body: string) =>
    `PATCH /api/v1/fields/plan HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.text}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  await using held = await stuck(the);
  const first = await opened(the.baseUrl, request('{"label":"A"}'));
  await until(the, 1, 0);
  const second = await opened(the.baseUrl, request('{"label":"B"}'));
  await until(the, 1, 1);
  second.destroy();
  await until(the, 1, 0);
  first.destroy();
  await gone(the);
  assert.deepEqual(await placesOf(the), [1, 0]);
  await held.release();
  await until(the, 0, 0);
  const [field] = await the.sql<{ label: string }>("SELECT label FROM store.custom_field");
  assert.equal(field?.label, "A");
});

test("a call whose body is refused waits for a place before it is counted, as other calls do", async () => {
  await using the = await world({ env: admission({ inFlight: 1, perOwner: 1 }) });
  const key = await acceptedKey(the);
  await using held = await stuck(the);
  const [inFlight] = held.send(key, 1);
  await until(the, 1, 0);
  const ended: number[] = [];
  const send = async (path: string, type: string, body: string) => {
    const { status } = await fetch(the.authUrl + path, {
      method: "POST",
      headers: { "Content-Type": type },
      body,
    });
    ended.push(status);
  };
  const large = "x".repeat(70_000);
  const refused = [send("/api/oauth/token", "none", "x"), send("/api/oauth/register", "text/plain", large)];
  while ((await placesOf(the))[1] < 2 && ended.length === 0) await sleep(20);
  assert.deepEqual(ended, []);
  await held.release();
  await Promise.all(refused);
  assert.deepEqual([(await inFlight)?.status, ...ended.toSorted()], [200, 400, 413]);
  await until(the, 0, 0);
});

test("a body that breaks off leaves the queue", async () => {
  await using the = await world({ env: admission({ inFlight: 1, perOwner: 1 }) });
  const key = await acceptedKey(the);
  await using held = await stuck(the);
  const [inFlight] = held.send(key, 1);
  await until(the, 1, 0);
  const head = "POST /api/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n{";
  const broken = await opened(the.authUrl, head);
  broken.destroy();
  await gone(the);
  assert.deepEqual(await placesOf(the), [1, 0]);
  await held.release();
  assert.equal((await inFlight)?.status, 200);
  await until(the, 0, 0);
});

/** Lets the service notice that a connection was closed: it has answered a later request. */
async function gone(the: World): Promise<void> {
  for (let i = 0; i < 3; i += 1) assert.equal((await fetch(`${the.baseUrl}/livez`)).status, 200);
}
