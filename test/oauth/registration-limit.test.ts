import assert from "node:assert/strict";
import { test } from "node:test";
import { type World, world } from "../world.ts";
import { bodyOf, register } from "./support/application.ts";

const METADATA = { redirect_uris: ["https://app.example/cb"] };
const from = (address: string) => ({ "X-Forwarded-For": address });
const limited = (more: Record<string, string> = {}) =>
  world({ env: { LIMITS: "{}", TRUSTED_PROXIES: "127.0.0.1,::1", ...more } });

const statuses = async (the: World, address: string, calls: number): Promise<string> => {
  const answers = await Promise.all(
    Array.from({ length: calls }, () => register(the, METADATA, from(address))),
  );
  const counts = Map.groupBy(answers, (answer) => answer.status);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, { length }]) => `${status}x${length}`)
    .join(" ");
};

test("an address registers ten times in an hour, however its calls race, and bad calls count", async () => {
  await using the = await limited();
  assert.equal((await register(the, "{", from("192.0.2.1"))).status, 400);
  assert.equal(await statuses(the, "192.0.2.1", 30), "201x9 429x21");
  const refused = await register(the, METADATA, from("192.0.2.1"));
  assert.equal((await bodyOf(refused)).error, "too_many_requests");
  const wait = Number(refused.headers.get("retry-after"));
  assert.ok(wait > 3_500 && wait <= 3_600, String(wait));
  assert.equal(await statuses(the, "192.0.2.2", 1), "201x1", "another address has its own ten");
});

test("the window slides: a call that is an hour old makes room for one", async () => {
  await using the = await limited();
  const since = performance.now();
  assert.equal(await statuses(the, "192.0.2.1", 10), "201x10");
  const move = (by: string) => the.sql("UPDATE registration_calls SET at[1] = at[1] - $1::interval", [by]);
  await move("59 minutes");
  const refused = await register(the, METADATA, from("192.0.2.1"));
  assert.equal(refused.status, 429);
  const wait = Number(refused.headers.get("retry-after"));
  const gone = (performance.now() - since) / 1_000;
  assert.ok(wait >= Math.floor(60 - gone) && wait <= 60, `${wait} after ${gone}`);
  await move("1 minute");
  assert.equal(await statuses(the, "192.0.2.1", 3), "201x1 429x2");
  const [kept] = await the.sql<{ calls: number }>("SELECT cardinality(at) AS calls FROM registration_calls");
  assert.equal(kept?.calls, 10, "what no longer counts is not kept");
});

test("an IPv6 network is one address, and so is an IPv4 address in every spelling", async () => {
  await using the = await limited();
  assert.equal(await statuses(the, "2001:db8:0:1::1", 5), "201x5");
  assert.equal(await statuses(the, "2001:0DB8:0000:0001:ffff::2", 6), "201x5 429x1");
  assert.equal(await statuses(the, "2001:db8:0:2::1", 1), "201x1");
  assert.equal(await statuses(the, "198.51.100.7", 5), "201x5");
  assert.equal(await statuses(the, "::ffff:198.51.100.7", 6), "201x5 429x1");
  assert.equal(await statuses(the, "::ffff:c633:6407", 1), "429x1");
});

test("an operator raises the limit of a listed range, and without trusted proxies no client can choose its address", async () => {
  const LIMITS = JSON.stringify({
    registration: { perHour: 2, ranges: { "203.0.113.0/24": 4, "2001:db8::/32": 3 } },
  });
  await using the = await limited({ LIMITS });
  assert.equal(await statuses(the, "203.0.113.9", 6), "201x4 429x2");
  assert.equal(await statuses(the, "2001:db8::1", 6), "201x3 429x3");
  assert.equal(await statuses(the, "192.0.2.1", 6), "201x2 429x4");
  await using bare = await world({ env: { LIMITS } });
  for (const [index, expected] of [201, 201, 429].entries()) {
    assert.equal((await register(bare, METADATA, from(`192.0.2.${index}`))).status, expected);
  }
});

test("a lifted limit lets every address register, except in a range that has a limit", async () => {
  for (const registration of [null, { perHour: null }]) {
    await using the = await limited({ LIMITS: JSON.stringify({ registration }) });
    assert.equal(await statuses(the, "192.0.2.1", 30), "201x30");
    const answer = await register(the, METADATA, from("192.0.2.1"));
    assert.equal(answer.headers.get("ratelimit"), null);
  }
  const registration = { perHour: null, ranges: { "203.0.113.0/24": 4, "203.0.113.7/32": null } };
  await using the = await limited({ LIMITS: JSON.stringify({ registration }) });
  assert.equal(await statuses(the, "192.0.2.1", 30), "201x30");
  assert.equal(await statuses(the, "203.0.113.9", 6), "201x4 429x2");
  assert.equal(await statuses(the, "203.0.113.7", 6), "201x6");
});

test("a registration's response reports how many remain in the hour, and when one more is allowed", async () => {
  await using the = await limited();
  const first = await register(the, METADATA, from("192.0.2.9"));
  assert.equal(first.headers.get("ratelimit-policy"), '"registration";q=10;w=3600');
  assert.equal(first.headers.get("ratelimit"), '"registration";r=9;t=3600');
  assert.equal(await statuses(the, "192.0.2.9", 9), "201x9");
  const refused = await register(the, METADATA, from("192.0.2.9"));
  const wait = refused.headers.get("retry-after");
  assert.equal(refused.headers.get("ratelimit"), `"registration";r=0;t=${wait}`);
});

test("a call that is refused before it is read counts as well", async () => {
  await using the = await limited();
  const large = JSON.stringify({ ...METADATA, client_name: "x".repeat(70_000) });
  for (let n = 0; n < 5; n += 1) {
    assert.equal((await register(the, large, from("192.0.2.1"))).status, 413);
    const typed = { ...from("192.0.2.1"), "Content-Type": "/" };
    assert.equal((await register(the, METADATA, typed)).status, 400);
  }
  assert.equal(await statuses(the, "192.0.2.1", 1), "429x1");
  const refused = await register(the, large, from("192.0.2.1"));
  assert.deepEqual([refused.status, (await bodyOf(refused)).error], [429, "too_many_requests"]);
});
