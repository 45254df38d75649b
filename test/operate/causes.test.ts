import assert from "node:assert/strict";
import { existsSync, openSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { watchLoop } from "../../src/http/observe/loop-watch.ts";
import { LogWriter } from "../../src/observe/log/log-writer.ts";
import { type Line, logging } from "../observe/support/logging.ts";
import { scrape, sum } from "../operator/support/scrape.ts";
import { notLinux } from "../programs.ts";

test("a log on a full disk says that it is blocked because of that, and how much waits", {
  skip: !existsSync("/dev/full") && "no /dev/full",
}, async () => {
  const log = new LogWriter(openSync("/dev/full", "w"));
  assert.deepEqual([log.fault, log.waiting], [undefined, 0]);
  log.write(`${"x".repeat(99)}\n`);
  while (log.fault === undefined) await sleep(10);
  assert.deepEqual([log.fault, log.leftOut], ["full", 0]);
  assert.ok(log.waiting >= 100);
});

test("a turn of the event loop in which the program ran is told from one in which others had the processors", {
  skip: notLinux,
}, async () => {
  const told: [Line, string][] = [];
  const end = watchLoop({ warn: (members, message) => told.push([members as Line, message]) }, 400);
  await sleep(300);
  for (const from = process.threadCpuUsage().user; process.threadCpuUsage().user < from + 6e5; );
  while (told.length === 0) await sleep(50);
  end();
  const [line, message] = told[0] ?? [{}, ""];
  assert.equal(message, "the event loop was late: the program itself ran");
  assert.ok(Number(line.late_ran_ms) >= 500, JSON.stringify(line));
});

test("the line of a change has the part of its time that its commit took, and metrics have commits and the round trip", async () => {
  await using log = await logging();
  const key = await log.key(["leads:read", "leads:write"]);
  const before = await scrape(log.the.baseUrl);
  const create = async () => await log.lineOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }));
  await create();
  // A change that is alone commits with its statement, so nothing can be told apart.
  const lines = await Promise.all(Array.from({ length: 8 }, create));
  const line = lines.find(({ commit_ms: ms }) => ms !== undefined);
  assert.ok(Number(line?.commit_ms) <= Number(line?.database_ms), JSON.stringify(lines));
  const after = await scrape(log.the.baseUrl);
  const commits = "leadgate_database_commit_seconds_count ";
  assert.ok(sum(after, commits) > sum(before, commits));
  assert.ok(sum(after, "leadgate_database_round_trip_seconds ") > 0);
  const read = await log.lineOf(await key.send("GET", "/api/v1/statuses"));
  assert.equal(read.unread_ms, undefined, "a client that reads has none");
});

test("without a fault, none of the metrics and lines that tell of one is there", async () => {
  await using log = await logging();
  const text = await scrape(log.the.baseUrl);
  for (const series of ["leadgate_log_blocked", "leadgate_log_left_out_total", "leadgate_answers_unread"])
    assert.equal(sum(text, series), 0, series);
  assert.equal(sum(text, "leadgate_database_connections_lost_total"), 0);
  assert.ok(!text.includes("leadgate_redis_up"), "there is no Redis");
  assert.ok(!log.lines().some(({ kept_by: kept }) => kept !== undefined));
});
