import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { heldLead } from "../held-lead.ts";
import { freePort, type World, world } from "../world.ts";
import { rawAnswer } from "./support/raw-answer.ts";

/** Sends these bytes to a listener; returns the status of its answer. */
async function statusOf(url: string, text: string): Promise<number> {
  return Number((await rawAnswer(url, text)).slice(9, 12));
}

const asking = (...lines: string[]) =>
  ["GET /metrics HTTP/1.1", ...lines, "Connection: close", "", ""].join("\r\n");

test("metrics are shown to this machine by any of its names", async () => {
  await using the = await world();
  for (const host of ["localhost", "LOCALHOST:3000", "127.0.0.1", "127.8.9.10:80", "[::1]", "[::1]:3001"])
    assert.equal(await statusOf(the.baseUrl, asking(`Host: ${host}`)), 200, host);
});

test("metrics are not shown through a proxy that names itself", async () => {
  await using the = await world();
  for (const header of [
    ...[
      "X-Forwarded-For: 127.0.0.1",
      "x-forwarded-for:",
      "X-Forwarded-Proto: https",
      "X-Forwarded: for=127.0.0.1",
    ],
    ...["Forwarded: for=127.0.0.1", "Via: 1.1 vegur", "X-Real-IP: 127.0.0.1", "CF-Connecting-IP: 127.0.0.1"],
  ])
    assert.equal(await statusOf(the.baseUrl, asking("Host: localhost", header)), 403, header);
});

test("metrics are not shown through a proxy that adds nothing, whatever Host a stranger sends", async () => {
  await using the = await world();
  for (const host of [
    ...["leads.example.com", "localhost.evil.example", "127.0.0.1.evil.example", "localhost@evil.example"],
    ...[
      "evil.example@localhost",
      "localhost:80@evil.example",
      "localhost:",
      "localhost:x",
      "localhost.",
      "[::1",
    ],
    ...["127.0.0.256", "127.1", "2130706433", "0.0.0.0", "10.0.0.1", "[::2]", "localhost, evil.example", ""],
  ])
    assert.equal(await statusOf(the.baseUrl, asking(`Host: ${host}`)), 403, host);
  const status = (text: string) => statusOf(the.baseUrl, text);
  assert.equal(await status(asking("Host: localhost", "Host: localhost")), 403, "two Host headers");
  assert.equal(await status(asking("Host: evil.example", "Host: localhost")), 403, "two different ones");
  assert.equal(await status(asking()), 400, "no Host header");
  const absolute = asking("Host: localhost").replace("/metrics", "http://evil.example/metrics");
  assert.notEqual(await status(absolute), 200, "an absolute request target");
  for (const lines of [[], ["Host: 127.0.0.1:3001"]]) {
    const old = asking(...lines).replace("HTTP/1.1", "HTTP/1.0");
    assert.equal(await status(old), 403, "as nginx asks by default");
  }
});

test("metrics are shown to holders of the token from anywhere, and the refusal of others says so", async () => {
  await using the = await world({ env: { METRICS_TOKEN: "let me see" } });
  const proxied = ["Host: leads.example.com", "X-Forwarded-For: 203.0.113.9"];
  const withToken = asking(...proxied, "Authorization: Bearer let me see");
  assert.equal(await statusOf(the.baseUrl, withToken), 200);
  assert.equal(await statusOf(the.baseUrl, asking(...proxied, "Authorization: Bearer let me sea")), 403);
  const refused = await fetch(`${the.baseUrl}/metrics`, { headers: { Via: "1.1 proxy" } });
  const { reason } = (await refused.json()) as { reason: string };
  assert.match(reason, /127\.0\.0\.1.*METRICS_TOKEN/);
});

test("metrics of a public host are for holders of the token only: its proxy may ask as this machine does", async () => {
  const [auth, base] = [await freePort(), await freePort()];
  await using _the = await world({
    env: {
      ...{ AUTH_URL: "http://leads.example.com", AUTH_PORT: String(auth) },
      ...{ BASE_URL: `http://127.0.0.1:${base}`, API_PORT: String(base), METRICS_TOKEN: "let me see" },
    },
  });
  const [web, api] = [auth, base].map((port) => `http://127.0.0.1:${port}`) as [string, string];
  const host = "Host: 127.0.0.1";
  assert.match(await rawAnswer(web, asking(host)), /^HTTP\/1\.1 403 .*public.*METRICS_TOKEN/s);
  assert.equal(await statusOf(web, asking(host, "Authorization: Bearer let me see")), 200);
  assert.equal(await statusOf(api, asking(host)), 200, "the other host is not public");
});

/** Returns the value of a metric. */
async function shown(the: World, name: string): Promise<number> {
  const text = await (await fetch(`${the.baseUrl}/metrics`)).text();
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

test("metrics tell whether the service is ready, and how its database connections are used", async () => {
  await using the = await world();
  const taken = await the.service.db.pool.connect();
  try {
    assert.equal(await shown(the, 'leadgate_ready{check="database"}'), 1);
    assert.equal(await shown(the, 'leadgate_ready{check="writes"}'), 1);
    assert.ok((await shown(the, 'leadgate_database_connections{state="in_use"}')) >= 1);
    assert.ok((await shown(the, 'leadgate_database_connections{state="idle"}')) >= 1);
    assert.equal(await shown(the, WAITING), 0);
  } finally {
    taken.release();
  }
});

const WAITING = 'leadgate_database_connections{state="waiting"}';

test("metrics count the requests that wait for a connection behind their project's share", async () => {
  await using the = await world({ env: { TIME_LIMITS: JSON.stringify({ wait: 10 }) } });
  const key = await the.key(["leads:read", "leads:write"]);
  await using held = await heldLead(the, key);
  const { id, holder } = held;
  const writes = Array.from({ length: 10 }, (_, i) => key.send("PATCH", `/api/v1/leads/${id}`, { score: i }));
  let waiting = 0;
  for (let tries = 0; waiting < 4 && tries < 100; tries += 1) {
    waiting = await shown(the, WAITING);
    await sleep(20);
  }
  assert.equal(waiting, 4, "six of ten have the connections that one project may use");
  await holder.query("COMMIT");
  for (const { status } of await Promise.all(writes)) assert.equal(status, 200);
  assert.equal(await shown(the, WAITING), 0);
});
