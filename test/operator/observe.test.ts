import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeKey } from "../../src/domain/api-keys/api-key.ts";
import { keepMeasured } from "../../src/domain/upkeep/measure-database.ts";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";
import { scrape, scrapeAbove, seriesIn, sum } from "./support/scrape.ts";

const MEASURED = "leadgate_database_measured_timestamp_seconds ";

/** Does each thing that metrics count, and returns the scrape after it. */
async function used(the: World): Promise<string> {
  const key = await the.key(["leads:read", "leads:write"]);
  assert.equal((await key.send("POST", "/api/v1/leads", { name: "Ada" })).status, 201);
  assert.equal((await key.send("GET", "/api/v1/leads/lead_none")).status, 404);
  // the other tests of this process have measured their databases
  const before = sum(await scrape(the.baseUrl), MEASURED);
  const stop = keepMeasured(the.service);
  const text = await scrapeAbove(the.baseUrl, MEASURED, before);
  stop();
  return text;
}

test("metrics tell the version, the size of the database, what waits, and what was refused", async () => {
  await using the = await world();
  const before = sum(await scrape(the.baseUrl), 'leadgate_refusals_total{code="not_found"}');
  const text = await used(the);
  assert.equal(sum(text, `leadgate_build_info{version="`), 1);
  assert.equal(sum(text, 'leadgate_refusals_total{code="not_found"}'), before + 1);
  assert.ok(sum(text, "leadgate_database_bytes ") > 1_000_000);
  assert.ok(sum(text, "leadgate_database_frozen_age ") > 0);
  const connections = sum(text, "leadgate_database_server_connections ");
  assert.ok(connections >= 1 && connections <= sum(text, "leadgate_database_server_connections_max "));
  assert.ok(sum(text, 'leadgate_lane_wait_seconds_count{lane="keyed"}') > 0);
  assert.equal(sum(text, 'leadgate_lane_work{lane="keyed",state="waiting"}'), 0);
  assert.equal(sum(text, "leadgate_jobs{"), 0);
});

test("an open transaction is seen with its age", async () => {
  await using the = await world();
  const client = await the.service.db.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT 1");
    await sleep(20);
    assert.ok(sum(await used(the), "leadgate_database_oldest_transaction_seconds ") > 0);
    await client.query("ROLLBACK");
  } finally {
    client.release();
  }
});

const sized = (size: string, outcome: string) =>
  `leadgate_project_request_seconds_count{size="${size}",outcome="${outcome}"}`;

test("requests are timed by the size of their project and their outcome", async () => {
  await using the = await world();
  const fill = (projectId: string, count: number) =>
    the.sql(
      `INSERT INTO store.lead (project_id, id, name)
       SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i FROM generate_series(1, $2::integer) i`,
      [projectId, count],
    );
  for (const [size, leads] of Object.entries({ small: 999, medium: 19_999, large: 20_000 })) {
    const { id } = await the.newProject(the.person);
    await fill(id, leads);
    const key = await the.key(["leads:read"], id);
    const before = await scrape(the.baseUrl);
    do assert.equal((await key.send("GET", "/api/v1/statuses")).status, 200);
    while (sum(await scrape(the.baseUrl), sized(size, "ok")) === sum(before, sized(size, "ok")));
    assert.ok(
      sum(await scrape(the.baseUrl), sized("unknown", "ok")) > sum(before, sized("unknown", "ok")),
      size,
    );
    assert.equal((await key.send("GET", "/api/v1/leads/lead_none")).status, 404);
    assert.equal((await key.send("POST", "/api/v1/leads", { name: "Ada" })).status, 403);
    const { text } = makeKey(id, key.id);
    const forged = { headers: { Authorization: `Bearer ${text}` } };
    assert.equal((await fetch(`${the.baseUrl}/api/v1/statuses`, forged)).status, 401);
    const after = await scrape(the.baseUrl);
    assert.equal(sum(after, sized(size, "refused")), sum(before, sized(size, "refused")) + 2, size);
    assert.equal(sum(after, sized("none", "refused")), sum(before, sized("none", "refused")) + 1);
  }
});

large("300 projects and hostile paths add no series", async () => {
  await using the = await world();
  /** Calls as a new project, whose size is not known before the first call. */
  const calls = async (n: number) => {
    const { id } = await the.newProject(the.person, `Project "}${n}`);
    const key = await the.key(["leads:read", "leads:write"], id);
    const found = n % 2 === 0;
    const first = await key.send("GET", found ? "/api/v1/statuses" : "/api/v1/leads/lead_0");
    assert.equal(first.status, found ? 200 : 404);
    assert.equal((await key.send("POST", "/api/v1/leads", { name: `N${n}` })).status, 201);
    assert.equal((await key.send("GET", "/api/v1/leads/lead_0")).status, 404);
    return key;
  };
  const ask = async (path: string) => await (await fetch(`${the.baseUrl}${path}`)).text();
  const hostile = async (n: number) => {
    await ask(`/${n}/%22%7D%0A${n}?q=${n}`);
    await ask(`/api/v1/leads/lead_${n}%22%0A`);
  };
  const key = await calls(0);
  await calls(1);
  await hostile(0);
  const small = 'leadgate_project_request_seconds_count{size="small",outcome="';
  while (sum(await scrape(the.baseUrl), `${small}ok`) === 0) await key.send("GET", "/api/v1/statuses");
  assert.equal((await key.send("GET", "/api/v1/leads/lead_0")).status, 404);
  await scrapeAbove(the.baseUrl, `${small}refused`, 0);
  const before = seriesIn(await scrape(the.baseUrl));
  for (let n = 0; n < 300; n += 10)
    await Promise.all(Array.from({ length: 10 }, (_, i) => Promise.all([calls(n + i), hostile(n + i)])));
  const after = seriesIn(await scrape(the.baseUrl));
  assert.deepEqual(
    [...after].filter((each) => !before.has(each)),
    [],
  );
});
