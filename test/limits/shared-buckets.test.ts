import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../large.ts";
import { Application, bodyOf, post } from "../oauth/support/application.ts";
import { world } from "../world.ts";
import { limits, rush, tally, twoInstances } from "./support/instances.ts";

/** Simulates so many seconds for every bucket. */
const PASS = "UPDATE limit_turn SET until = until - ($1::float8 * 1000000)::bigint";

test("two instances never admit more than one bucket holds, however their calls race", async () => {
  await using both = await twoInstances({ api: { perHour: 1, burst: 7 } });
  const { first, second } = both;
  const key = await first.key();
  assert.equal(await rush([first, second], key, 60), "200x7 429x53");
  assert.equal(await rush([first, second], key, 20), "429x20", "refused calls gain nothing");
  const other = await first.key();
  assert.equal(await rush([first, second], other, 10), "200x7 429x3", "another key has its own bucket");
});

test("a bucket returns one hit at a time, to the microsecond, and never more than it holds", async () => {
  await using both = await twoInstances({ api: { perMinute: 1, burst: 3 } });
  const { first, second } = both;
  const key = await first.key();
  assert.equal(await rush([first, second], key, 8), "200x3 429x5");
  await first.sql(PASS, [60]);
  assert.equal(await rush([first, second], key, 8), "200x1 429x7");
  await first.sql(PASS, [120]);
  assert.equal(await rush([first, second], key, 8), "200x2 429x6");
  await first.sql(PASS, [86_400]);
  assert.equal(
    await rush([first, second], key, 8),
    "200x3 429x5",
    "an idle day saves up no more than the burst",
  );
});

test("at twice the allowed rate, half of the calls are admitted, window after window", async () => {
  await using both = await twoInstances({ api: { perMinute: 1, burst: 2 } });
  const { first, second } = both;
  const key = await first.key();
  assert.equal(await rush([first, second], key, 4), "200x2 429x2");
  for (let window = 0; window < 12; window += 1) {
    await first.sql(PASS, [60]);
    assert.equal(await rush([first, second], key, 2), "200x1 429x1", `window ${window}`);
  }
});

test("a client that waits as long as Retry-After says is admitted, every time", async () => {
  await using the = await world({ env: { LIMITS: limits({ api: { perMinute: 60, burst: 1 } }) } });
  const key = await the.key();
  let [waited, answer] = [0, await key.query({})];
  for (let calls = 0; waited < 3 && calls < 100; calls += 1) {
    if (answer.status === 429) {
      const wait = answer.headers.get("retry-after") ?? "";
      assert.match(wait, /^[12]$/);
      await sleep(Number(wait) * 1_000);
      answer = await key.query({});
      assert.equal(answer.status, 200, "after the wait");
      waited += 1;
    }
    answer = await key.query({});
  }
  assert.equal(waited, 3);
});

test("a clock that was set back or a limit that was lowered delays calls no longer than an empty bucket", async () => {
  await using the = await world({ env: { LIMITS: limits({ api: { perMinute: 1, burst: 2 } }) } });
  const key = await the.key();
  assert.equal(await rush([the], key, 1), "200x1");
  await the.sql(PASS, [-86_400]);
  const refused = await key.query({});
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) <= 61);
  await the.sql(PASS, [60]);
  assert.equal(await rush([the], key, 2), "200x1 429x1");
});

test("every call counts, invalid ones too; a refused one does not, and leaves no trace of its work", async () => {
  await using the = await world({ env: { LIMITS: limits({ api: { perHour: 1, burst: 5 } }) } });
  const key = await the.key(["leads:read", "leads:write"]);
  const reader = await the.key(["leads:read"]);
  const statuses = [
    (await key.query({ nonsense: 1 })).status,
    (await key.send("GET", "/api/leads/lead_nobody/")).status,
    (await key.send("POST", "/api/leads/query/", "{")).status,
    (await key.query({ project_id: "prj_another" })).status,
    (await key.send("POST", "/api/v1/leads", { email: "ada@example.org" })).status,
  ];
  assert.deepEqual(statuses, [400, 404, 400, statuses[3], 201]);
  const refused = await key.send("POST", "/api/v1/leads", { email: "grace@example.org" });
  assert.equal(refused.status, 429);
  const { error, request_id: requestId } = await bodyOf(refused);
  assert.equal((error as { code: string }).code, "too_many_requests");
  assert.equal(typeof requestId, "string");
  assert.deepEqual(await the.sql("SELECT email FROM store.lead"), [{ email: "ada@example.org" }]);
  for (let i = 0; i < 5; i += 1) {
    assert.equal((await reader.send("POST", "/api/v1/leads", { email: "x@example.org" })).status, 403);
  }
  assert.equal((await reader.query({})).status, 429, "403 counts");
});

test("a response reports the state of its bucket in structured fields", async () => {
  await using the = await world({ env: { LIMITS: limits({ api: { perMinute: 6, burst: 3 } }) } });
  const key = await the.key();
  for (const left of [2, 1, 0]) {
    const { headers } = await key.query({});
    assert.equal(headers.get("ratelimit-policy"), '"api";q=3;w=30');
    assert.match(headers.get("ratelimit") ?? "", new RegExp(`^"api";r=${left};t=([1-9]|1[01])$`));
    assert.equal(headers.get("retry-after"), null);
  }
  const { status, headers } = await key.query({});
  assert.equal(status, 429);
  const wait = headers.get("retry-after");
  assert.equal(headers.get("ratelimit"), `"api";r=0;t=${wait}`);
  assert.equal(headers.get("ratelimit-policy"), '"api";q=3;w=30');
});

test("null sets no limit and sends no limit headers", async () => {
  await using the = await world({ env: { LIMITS: limits({ api: null, token: null }) } });
  const key = await the.key();
  assert.equal(await rush([the], key, 30), "200x30");
  assert.equal((await key.query({})).headers.get("ratelimit"), null);
  assert.equal((await post(the, "/api/oauth/token", {})).headers.get("ratelimit"), null);
  assert.deepEqual(await the.sql("SELECT FROM limit_turn"), []);
});

test("calls without a valid key count for their address, and do not delay the key's holder at that address", async () => {
  await using both = await twoInstances({ api: { perHour: 1, burst: 4 } });
  const { first, second } = both;
  const key = await first.key();
  const guess = `${key.text.slice(0, -1)}${key.text.endsWith("0") ? "1" : "0"}`;
  const [{ key: wellFormed }] = [{ key: await forged(key.text) }];
  const guesses = [guess, wellFormed, "", "lgk_nothing"].flatMap((text) =>
    [first, second].map((instance) =>
      fetch(`${instance.baseUrl}/api/leads/lead_1/`, { headers: { Authorization: `Bearer ${text}` } }),
    ),
  );
  assert.equal(await tally(guesses), "401x4 429x4");
  assert.equal(await rush([first, second], key, 5), "200x4 429x1", "none of it was counted against the key");
});

test("a request to /mcp counts as one hit, even for a batch, and a new token does not bring a new bucket", async () => {
  await using the = await world({ env: { LIMITS: limits({ mcp: { perHour: 1, burst: 4 } }) } });
  const app = await Application.register(the);
  const tokens = await app.tokens(await the.signedIn());
  const ask = (token: string, body: object) =>
    fetch(`${the.authUrl}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(body),
    });
  const call = (id: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "query_leads", arguments: {} },
  });
  const batch = await ask(tokens.access, [call(1), call(2), call(3), call(4), call(5)]);
  assert.equal(batch.status, 200);
  assert.match(batch.headers.get("ratelimit") ?? "", /^"mcp";r=3;/);
  assert.equal((await ask(tokens.access, { jsonrpc: "2.0", id: 1, method: "ping" })).status, 200);
  assert.equal((await ask(tokens.access, { nothing: true })).status, 400);
  assert.equal((await ask(tokens.access, call(6))).status, 200);
  const refused = await ask(tokens.access, call(7));
  assert.equal(refused.status, 429);
  assert.equal((await bodyOf(refused)).jsonrpc, "2.0");
  assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
  const renewed = await bodyOf(await app.refresh(tokens.refresh));
  assert.equal((await ask(String(renewed.access_token), call(8))).status, 429);
});

large("token, introspection and revocation are counted by address, an IPv6 network as one", async () => {
  const few = { perHour: 1, burst: 5 };
  await using the = await world({
    env: { LIMITS: limits({ token: few, introspect: few, revoke: few }), TRUSTED_PROXIES: "127.0.0.1,::1" },
  });
  const from = (path: string, address: string) =>
    fetch(`${the.authUrl}/api/oauth/${path}`, {
      method: "POST",
      headers: { "X-Forwarded-For": address },
      body: new URLSearchParams({ token: "x" }),
    });
  const network = Array.from(
    { length: 1_000 },
    (_, i) => `2001:db8:7:9:${(i * 7919).toString(16).slice(0, 4)}::1`,
  );
  let told = { passed: 0, refused: 0 };
  for (const address of network) {
    const { status } = await from("introspect", address);
    told = status === 429 ? { ...told, refused: told.refused + 1 } : { ...told, passed: told.passed + 1 };
  }
  assert.deepEqual(told, { passed: 5, refused: 995 });
  const spellings = [
    "198.51.100.7",
    "::ffff:198.51.100.7",
    "::FFFF:198.51.100.7",
    "::ffff:c633:6407",
    "::FFFF:C633:6407",
    "0:0:0:0:0:ffff:198.51.100.7",
    "0:0:0:0:0:ffff:c633:6407",
    "0000:0000:0000:0000:0000:ffff:c633:6407",
    "0::ffff:c633:6407",
    "::0:ffff:c633:6407",
    "::0:0:ffff:198.51.100.7",
    "0:0::ffff:c633:6407",
  ];
  for (const path of ["token", "revoke"]) {
    const answers = await tally(spellings.map((address) => from(path, address)));
    assert.match(answers, /429x7$/, `${path}: ${answers}`);
  }
  const page = await from("token", "203.0.113.1");
  assert.match(page.headers.get("ratelimit") ?? "", /^"token";r=4;/);
});

/** Returns a key with another secret and a valid checksum: only the database can tell that it is wrong. */
async function forged(text: string): Promise<string> {
  const { checksumOf } = await import("../../src/core/secret.ts");
  const body = text.slice(0, text.lastIndexOf("_")).replace(/[0-9a-f]{64}$/, "f".repeat(64));
  return `${body}_${checksumOf(body)}`;
}
