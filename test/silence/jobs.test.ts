import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Export, endedExport } from "../api/support/exports.ts";
import { bodyOf } from "../api/support/v1.ts";
import { ended, type ImportBody, uploaded } from "../imports/support/uploading.ts";
import { large } from "../large.ts";
import { type CabledWorld, cabledWorld } from "./support/cabled.ts";

const ROWS = 6_000;
const SHORT = { env: { TIME_LIMITS: '{"job":20}' } };

const fill = ({ sql, the }: CabledWorld, count: number) =>
  sql(
    `INSERT INTO store.lead (project_id, id, name, landing_page, created_at)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i, repeat(md5(i::text), 60), now() - i * interval '1 s'
     FROM generate_series(1, $2::integer) i`,
    [the.project.id, count],
  );

/** Waits until the statement finds a row. */
async function found({ sql }: CabledWorld, text: string): Promise<void> {
  for (const until = performance.now() + 60_000; (await sql(text)).length === 0; await sleep(2))
    assert.ok(performance.now() < until, text);
}

large(
  "an import goes on when all connections die silently in the middle: each row is stored once",
  async (t) => {
    await using cabled = await cabledWorld(SHORT);
    const { the, cable, sql } = cabled;
    const key = await the.key(["leads:read", "leads:write"]);
    const rows = Array.from({ length: ROWS }, (_, n) => `p${n}@example.org,Row ${n}`);
    const { id } = await uploaded(the, key, `email,name\n${rows.join("\n")}\n`);
    assert.equal((await key.send("POST", `/api/v1/imports/${id}/commit`)).status, 202);
    await found(cabled, "SELECT FROM store.import WHERE state = 'running' AND rows > 0");
    cable.strand();
    const since = performance.now();
    const outcome: ImportBody = await ended(key, id);
    t.diagnostic(`done ${Math.round(performance.now() - since)} ms after the loss`);
    assert.deepEqual([outcome.state, outcome.rows, outcome.created], ["done", ROWS, ROWS]);
    const [stored] = await sql(
      "SELECT count(*)::integer AS n, count(DISTINCT email)::integer AS each FROM store.lead",
    );
    assert.deepEqual(stored, { n: ROWS, each: ROWS });
  },
);

large(
  "an export goes on when all connections die silently in the middle: its file is complete",
  async (t) => {
    await using cabled = await cabledWorld(SHORT);
    const { the, cable } = cabled;
    const key = await the.key(["leads:read"]);
    await fill(cabled, 20_000);
    const { id } = await bodyOf<Export>(await key.send("POST", "/api/v1/exports", { format: "ndjson" }), 202);
    await found(cabled, "SELECT FROM store.job_piece");
    cable.strand();
    const since = performance.now();
    const outcome = await endedExport(key, id);
    t.diagnostic(`${outcome.state} ${Math.round(performance.now() - since)} ms after the loss`);
    assert.deepEqual([outcome.state, outcome.done], ["done", 20_000]);
    const file = await (await key.send("GET", `/api/v1/exports/${id}/file`)).text();
    assert.equal(new Set(file.trimEnd().split("\n")).size, 20_000);
  },
);

large("a stream whose connection dies ends in an error, not silence, and frees its place", async (t) => {
  await using cabled = await cabledWorld();
  const { the, cable } = cabled;
  const key = await the.key(["leads:read"]);
  await fill(cabled, 20_000);
  const body = { project_id: the.project.id, format: "csv" };
  const answer = await key.send("POST", "/api/leads/export/", body);
  assert.equal(answer.status, 200);
  cable.strand();
  const since = performance.now();
  await assert.rejects(answer.text());
  t.diagnostic(`ended ${Math.round(performance.now() - since)} ms after the loss`);
  const whole = await (await key.send("POST", "/api/leads/export/", body)).text();
  assert.equal(whole.trimEnd().split("\n").length, 20_001);
});

test("a worker that waited over dead connections takes the next job", async (t) => {
  await using cabled = await cabledWorld();
  const { the, cable } = cabled;
  const key = await the.key(["leads:read"]);
  await fill(cabled, 10);
  await sleep(1_000);
  cable.strand();
  const since = performance.now();
  const { id } = await bodyOf<Export>(await key.send("POST", "/api/v1/exports", {}), 202);
  assert.equal((await endedExport(key, id)).state, "done");
  t.diagnostic(`done ${Math.round(performance.now() - since)} ms after the loss`);
});
