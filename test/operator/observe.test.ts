import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeKey } from "../../src/domain/api-keys/api-key.ts";
import { keepMeasured } from "../../src/domain/upkeep/measure-database.ts";
import { type World, world } from "../world.ts";
import { namesIn, scrape, sum } from "./support/scrape.ts";

/** Does each thing that metrics count, and returns the scrape after it. */
async function used(the: World): Promise<string> {
  const key = await the.key(["leads:read", "leads:write"]);
  assert.equal((await key.send("POST", "/api/v1/leads", { name: "Ada" })).status, 201);
  assert.equal((await key.send("GET", "/api/v1/leads/lead_none")).status, 404);
  const stop = keepMeasured(the.service);
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await scrape(the.baseUrl)).includes("leadgate_database_bytes ")) break;
    await sleep(50);
  }
  stop();
  return await scrape(the.baseUrl);
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

test("projects and hostile paths add no series", async () => {
  await using the = await world();
  const key = await the.key(["leads:read"]);
  const ask = async (path: string) => await (await fetch(`${the.baseUrl}${path}`)).text();
  await ask("/api/v1/leads/x");
  await ask("/nowhere");
  await ask("/api/v1/leads/%00");
  await key.send("GET", "/api/v1/leads/lead_0");
  const series = async () =>
    new Set((await scrape(the.baseUrl)).split("\n").map((line) => line.split(" ")[0]));
  const before = await series();
  for (let i = 0; i < 300; i += 1) {
    await ask(`/${i}/%22%7D%0A${i}?q=${i}`);
    await ask(`/api/v1/leads/lead_${i}%22%0A`);
  }
  const added = [...(await series())].filter((each) => !before.has(each) && each?.startsWith("leadgate_"));
  assert.deepEqual(added, []);
});

test("the table of metrics lists all of a scrape, and no others", async () => {
  await using the = await world();
  const text = await used(the);
  const listed = [...readFileSync("docs/operate/observe.md", "utf8").matchAll(/^\| `(leadgate_\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  // Only an instance that makes backups has theirs.
  const own = (name: string) => !name.startsWith("leadgate_backup_");
  assert.deepEqual(listed.filter(own).sort(), namesIn(text).filter(own));
});

test("alerts and the dashboard use metrics that the table lists, and alerts are in the table", () => {
  const [page, alerts, dashboard] = ["docs/operate/observe.md", "deploy/observe/alerts.yml", DASHBOARD].map(
    (path) => readFileSync(path, "utf8"),
  ) as [string, string, string];
  const used = [...`${alerts}${dashboard}`.matchAll(/leadgate_\w+/g)].map(([name]) => name);
  const listed = new Set([...page.matchAll(/^\| `(leadgate_\w+)/gm)].map(([, name]) => name));
  const unknown = used.filter((name) => !listed.has(name.replace(/_(bucket|count|sum)$/, "")));
  assert.deepEqual([...new Set(unknown)], []);
  const summaries = [...alerts.matchAll(/alert: (\w+)[\s\S]*?severity: (\w+)[\s\S]*?summary: "(.*)"/g)];
  assert.ok(summaries.length >= 15);
  for (const [, name, severity, summary] of summaries)
    assert.ok(page.includes(`| \`${name}\` | ${severity} | ${summary} |`), name);
  assert.ok((JSON.parse(dashboard) as { panels: unknown[] }).panels.length > 20);
});

const DASHBOARD = "deploy/observe/dashboard.json";
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const skip = hasPromtool ? false : "promtool is not installed";

test("promtool accepts the alerts, and each of them fires and does not fire", { skip }, () => {
  const cwd = "deploy/observe";
  assert.match(
    execFileSync("promtool", ["check", "rules", "alerts.yml"], { cwd, encoding: "utf8" }),
    /20 rules/,
  );
  execFileSync("promtool", ["test", "rules", "alerts.test.yml"], { cwd });
  execFileSync("promtool", ["check", "config", "--syntax-only", "prometheus.yml"], { cwd });
});
