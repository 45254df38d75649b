import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { refusalOf } from "../api/support/v1.ts";
import { world } from "../world.ts";
import { acceptedKey, admission, stuck, until } from "./support/full.ts";

const wait = (answer: Response): void => {
  assert.match(answer.headers.get("retry-after") ?? "", /^[123]$/);
};

test("a full process refuses what it cannot hold, in the form of each surface and with a Retry-After, and is alive and ready", async () => {
  await using the = await world({ env: admission({ perOwner: 2 }) });
  const key = await acceptedKey(the);
  await using held = await stuck(the);
  const inFlight = held.send(key, 2);
  await until(the, 2, 0);
  const waiting = ["/sign-in", "/forgot"].map((path) => fetch(the.authUrl + path));
  await until(the, 2, 2);

  const bearer = { Authorization: "Bearer lgk_none" };
  const json = { "Content-Type": "application/json" };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const v1 = await fetch(`${the.baseUrl}/api/v1/leads/search`, {
    method: "POST",
    headers: { ...bearer, ...json },
    body: "{}",
  });
  const { error } = (await v1.json()) as { error: { code: string; details: unknown[] } };
  assert.deepEqual([v1.status, error.code, error.details], [503, "overloaded", []]);
  wait(v1);
  const old = await fetch(`${the.baseUrl}/api/leads/query/`, {
    method: "POST",
    headers: { ...bearer, ...json },
    body: "{}",
  });
  assert.deepEqual([old.status, ((await old.json()) as { code: string }).code], [503, "overloaded"]);
  wait(old);
  const token = await fetch(`${the.authUrl}/api/oauth/token`, {
    method: "POST",
    headers: form,
    body: "grant_type=refresh_token",
  });
  assert.deepEqual(
    [token.status, ((await token.json()) as { error: string }).error],
    [503, "temporarily_unavailable"],
  );
  assert.equal(token.headers.get("access-control-allow-origin"), "*");
  wait(token);
  const origin = "http://localhost:6274";
  const mcp = await fetch(`${the.authUrl}/mcp`, {
    method: "POST",
    headers: { ...bearer, ...json, Origin: origin },
    body: "{}",
  });
  const rpc = (await mcp.json()) as { jsonrpc: string; id: null; error: { data: { code: string } } };
  assert.deepEqual([mcp.status, rpc.jsonrpc, rpc.id, rpc.error.data.code], [503, "2.0", null, "overloaded"]);
  assert.equal(mcp.headers.get("access-control-allow-origin"), origin);
  wait(mcp);
  const preflight = await fetch(`${the.authUrl}/mcp`, { method: "OPTIONS", headers: { Origin: origin } });
  assert.equal(preflight.status, 204);
  const panel = await fetch(`${the.authUrl}/panel/api/${the.project.id}/v1/statuses`);
  assert.deepEqual(
    [panel.status, ((await panel.json()) as { error: { code: string } }).error.code],
    [503, "overloaded"],
  );
  wait(panel);
  const page = await fetch(`${the.authUrl}/sign-in`, { headers: { "Accept-Language": "pt-BR" } });
  assert.equal(page.status, 503);
  assert.match(await page.text(), /O serviço está sobrecarregado/);
  wait(page);
  const unknown = await fetch(`${the.baseUrl}/nothing`);
  assert.equal(unknown.status, 503);
  wait(unknown);

  for (const host of [the.authUrl, the.baseUrl]) {
    for (const path of ["/livez", "/readyz", "/metrics"])
      assert.equal((await fetch(host + path)).status, 200, path);
  }
  const metrics = await (await fetch(`${the.authUrl}/metrics`)).text();
  assert.match(metrics, /^leadgate_requests_shed_total\{reason="queue"\} 7$/m);

  await held.release();
  assert.deepEqual(
    (await Promise.all([...inFlight, ...waiting])).map(({ status }) => status),
    [200, 200, 200, 200],
  );
  await until(the, 0, 0);
});

test("who is only in their own way is told so, and nothing was done", async () => {
  await using the = await world({ env: admission({ perOwner: 1, waiting: 1 }) });
  const key = await acceptedKey(the);
  await using held = await stuck(the);
  const [first] = held.send(key, 1);
  await until(the, 1, 0);
  const [second] = held.send(key, 1);
  await until(the, 1, 1);
  const refused = await key.send("POST", "/api/v1/leads", { name: "Never" });
  const { error } = (await refused.json()) as { error: { code: string } };
  assert.deepEqual([refused.status, error.code], [429, "too_many_at_once"]);
  wait(refused);
  await held.release();
  assert.deepEqual([(await first)?.status, (await second)?.status], [200, 200]);
  assert.deepEqual(await the.sql("SELECT id FROM store.lead"), []);
});

test("two calls of a caller at once are not refused because the machine is busy, and a third is not told that they are too many", async () => {
  await using the = await world({ env: admission({ inFlight: 8, loopDelayMs: 1 }) });
  const key = await acceptedKey(the);
  await using held = await stuck(the);
  // The service shares the event loop of this process, which has time for nothing else in 70 of each 90 ms: longer than the 50 ms
  // between two looks at the loop, so that each look is late.
  const busy = setInterval(() => {
    for (const since = performance.now(); performance.now() - since < 70; );
  }, 90);
  try {
    await sleep(1_500);
    const calls = held.send(key, 2);
    await until(the, 2, 0);
    const third = await refusalOf(await key.send("PATCH", "/api/v1/fields/plan", { label: "Plan" }));
    assert.deepEqual([third.status, third.code], [503, "overloaded"]);
    await held.release();
    assert.deepEqual(
      (await Promise.all(calls)).map(({ status }) => status),
      [200, 200],
    );
  } finally {
    clearInterval(busy);
  }
});

test("who waits too long for a place is refused", async () => {
  await using the = await world({ env: admission({ waitMs: 300 }) });
  const key = await acceptedKey(the);
  await using held = await stuck(the);
  const inFlight = held.send(key, 2);
  await until(the, 2, 0);
  const late = await fetch(`${the.authUrl}/sign-in`);
  assert.equal(late.status, 503);
  wait(late);
  await held.release();
  assert.deepEqual(
    (await Promise.all(inFlight)).map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await fetch(`${the.authUrl}/sign-in`)).status, 200);
});

test("/livez answers as other URLs do: by GET and HEAD, with a query, and no other method", async () => {
  await using the = await world();
  const get = await fetch(`${the.baseUrl}/livez?deep`);
  assert.deepEqual([get.status, await get.json()], [200, { status: "ok" }]);
  assert.equal(get.headers.get("content-type"), "application/json; charset=utf-8");
  const head = await fetch(`${the.baseUrl}/livez`, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text(), head.headers.get("content-length")], [200, "", "15"]);
  assert.match(head.headers.get("x-request-id") ?? "", /^req_/);
  assert.notEqual((await fetch(`${the.baseUrl}/livez`, { method: "POST" })).status, 200);
  assert.equal((await fetch(`${the.baseUrl}/livezz`)).status, 404);
});
