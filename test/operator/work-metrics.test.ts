import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { mailbox } from "../accounts/support/mailbox.ts";
import { startedExport } from "../api/support/exports.ts";
import { writer } from "../api/support/writing.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { addUnknown, busy, crowded, exported, forgot, slowRead, UNKNOWN } from "./support/cause.ts";
import { scrape, scrapeAbove, sum } from "./support/scrape.ts";

test("jobs are counted by kind and outcome, with the time that they took", async () => {
  await using mail = await mailbox();
  await using the = await busy(mail.url);
  const runs = (outcome: string) => `leadgate_job_seconds_count{kind="export",outcome="${outcome}"}`;
  const before = await scrape(the.baseUrl);
  await exported(the);
  for (const outcome of ["done", "failed"]) {
    const after = await scrapeAbove(the.baseUrl, runs(outcome), sum(before, runs(outcome)));
    assert.equal(sum(after, runs(outcome)), sum(before, runs(outcome)) + 1);
  }
  const spent = 'leadgate_job_seconds_sum{kind="export",outcome="done"}';
  assert.ok(sum(await scrape(the.baseUrl), spent) > sum(before, spent));
});

large("a job that no worker has taken is shown as waiting, with its age", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const holder = await the.key();
  await startedExport(holder);
  // The queue holds it back until then.
  await the.sql("UPDATE leadgate_worker._private_jobs SET run_at = now() + interval '1 hour'");
  await sleep(1_100);
  const worker = await instance(the, "worker");
  try {
    const text = await scrapeAbove(worker.baseUrl, "leadgate_database_measured_timestamp_seconds ", 0);
    assert.equal(sum(text, 'leadgate_jobs{kind="export",state="waiting"}'), 1);
    assert.ok(sum(text, 'leadgate_jobs_oldest_seconds{kind="export",state="waiting"}') > 1);
    assert.equal(sum(text, 'leadgate_jobs{kind="import",state="waiting"}'), 0);
  } finally {
    await worker.end("SIGTERM");
  }
});

test("mails are counted that the mail server took, and attempts that it refused", async () => {
  await using mail = await mailbox({ refuses: UNKNOWN });
  await using the = await busy(mail.url);
  await addUnknown(the);
  const [sent, failed] = ['leadgate_mails_total{outcome="sent"}', 'leadgate_mails_total{outcome="failed"}'];
  const before = await scrape(the.baseUrl);
  await forgot(the, the.person.email);
  await mail.letter(the.person.email, /password/);
  const after = await scrapeAbove(the.baseUrl, sent, sum(before, sent));
  assert.equal(sum(after, sent), sum(before, sent) + 1);
  assert.equal(sum(after, failed), sum(before, failed));
  await forgot(the, UNKNOWN);
  await scrapeAbove(the.baseUrl, failed, sum(before, failed));
  assert.equal(sum(await scrape(the.baseUrl), sent), sum(before, sent) + 1);
});

test("work that got no connection is counted by lane and reason, and requests that waited for a slot with their time", async () => {
  await using mail = await mailbox();
  await using the = await busy(mail.url);
  const key = await writer(the);
  // Of its project, whose work waits for a lock of somebody else: `lock` as soon as that is known, `own` before.
  const own = 'leadgate_lane_refusals_total{lane="long"';
  const slots = "leadgate_request_wait_seconds_count ";
  const codes = ["too_many_at_once", "database_busy"].map(
    (code) => `leadgate_refusals_total{code="${code}"}`,
  );
  const refusals = (text: string) => codes.reduce((total, code) => total + sum(text, code), 0);
  const before = await scrape(the.baseUrl);
  const refused = await crowded(the, key);
  assert.ok(refused > 0);
  const after = await scrape(the.baseUrl);
  assert.equal(sum(after, own), sum(before, own) + refused);
  assert.equal(refusals(after), refusals(before) + refused);
  assert.ok(sum(after, slots) > sum(before, slots));
  const [waited, passed] = [
    'leadgate_lane_wait_seconds_count{lane="long"}',
    "leadgate_request_wait_seconds_sum ",
  ];
  assert.ok(sum(after, waited) > sum(before, waited));
  assert.ok(sum(after, passed) > sum(before, passed));
});

test("requests that went on in the slow lane are counted", async () => {
  await using mail = await mailbox();
  await using the = await busy(mail.url);
  const key = await the.key();
  const before = await scrape(the.baseUrl);
  await slowRead(the, key);
  const moved = "leadgate_slow_lane_total ";
  const after = await scrapeAbove(the.baseUrl, moved, sum(before, moved));
  assert.equal(sum(after, moved), sum(before, moved) + 1);
});
