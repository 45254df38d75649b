import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { keepMeasured } from "../../src/domain/upkeep/measure-database.ts";
import { large } from "../large.ts";
import { type Line, logging } from "../observe/support/logging.ts";
import { blockOf } from "../operate/support/blocks.ts";
import { type World, world } from "../world.ts";
import { scrape, scrapeAbove, sum } from "./support/scrape.ts";

const LOCK = "BEGIN; LOCK TABLE store.lead IN ACCESS EXCLUSIVE MODE";
const NO_SLOW_LANE = JSON.stringify({ fast: 0, query: 15 });
/** Of the reads of a project, one goes on in the slow lane, and the others wait for it. */
const ONE_SLOW = JSON.stringify({ wait: 2, fast: 0.2, query: 20 });
const waits = (holder: string) => `leadgate_lock_waits{holder="${holder}"}`;

/** Opens a connection to the world's database as another program. */
async function program(the: World, application: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: the.databaseUrl, application_name: application });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

test("the slow log names who holds the lock that a request waited for, and not who waits for it, too", async () => {
  await using log = await logging({ TIME_LIMITS: NO_SLOW_LANE });
  const { the } = log;
  const key = await log.key(["leads:read"]);
  const [holder, victim] = [await program(the, "nightly-etl"), await program(the, "victim")];
  await holder.query(LOCK);
  const waiting = victim.query("LOCK TABLE store.lead IN ACCESS EXCLUSIVE MODE").catch(() => undefined);
  const asked = key.query({ filter: { field: "company", op: "eq", value: "Secret & Sons" } });
  await scrapeAbove(the.baseUrl, waits("idle"), 0);
  await holder.query("COMMIT");
  await victim.end();
  await waiting;
  const answer = await asked;
  assert.equal(answer.status, 200);
  const line = await log.line(
    ({ msg, reqId }) => msg === "slow" && reqId === answer.headers.get("x-request-id"),
  );
  const { blocked_by: blockers, ...lock } = line.lock as Line & { blocked_by: Line[] };
  assert.ok(Number(lock.ms) >= 1_000 && Number(lock.ms) <= Number(line.ms), JSON.stringify(line));
  assert.deepEqual(
    { ...lock, ms: 0 },
    { ms: 0, kind: "relation", mode: "AccessShareLock", table: "store.lead" },
  );
  const { open_s: open, pid, ...named } = blockers[0] ?? {};
  assert.deepEqual([blockers.length, pid], [1, (holder as unknown as { processID: number }).processID]);
  assert.deepEqual(named, { application: "nightly-etl", role: "leadgate", state: "idle in transaction" });
  assert.ok(Number(open) >= 1, `${open} s`);
  const shown = JSON.parse(blockOf("logs.md", "The slow log", 1)) as { blocked_by: Line[] };
  assert.deepEqual(Object.keys(line.lock as Line), Object.keys(shown), "as the page shows it");
  assert.deepEqual(Object.keys(blockers[0] ?? {}), Object.keys(shown.blocked_by[0] ?? {}));
  assert.ok(!log.text().includes("Secret"), "no value is in the log");
  await holder.end();
});

/** Reads leads while `holder` has locked them, until some calls were refused; returns the answers. */
async function crowded(the: World, holder: pg.ClientBase): Promise<Response[]> {
  const key = await the.key();
  await holder.query(LOCK);
  const reads = Array.from({ length: 6 }, () => key.query({}));
  await Promise.any(reads);
  const during = await scrape(the.baseUrl);
  assert.ok(sum(during, waits("idle")) > 0 && sum(during, "leadgate_lock_wait_seconds ") > 1);
  await holder.query("COMMIT");
  const answers = await Promise.all(reads);
  while (sum(await scrape(the.baseUrl), "leadgate_lock_wait") > 0) await sleep(50);
  return answers;
}

const refusedWith = (answers: readonly Response[]): number[] => [
  ...new Set(answers.filter(({ status }) => status !== 200).map(({ status }) => status)),
];

test("callers whose work waits for somebody else's lock are answered 503 with Retry-After, never 429, and metrics show the wait while it lasts", async () => {
  await using the = await world({ env: { TIME_LIMITS: ONE_SLOW } });
  const holder = await program(the, "nightly-etl");
  const answers = await crowded(the, holder);
  assert.deepEqual(refusedWith(answers), [503]);
  for (const { status, headers } of answers)
    if (status === 503) assert.match(headers.get("retry-after") ?? "", /^\d+$/);
  assert.ok(sum(await scrape(the.baseUrl), 'leadgate_lane_refusals_total{lane="slow",reason="lock"}') > 0);
  await holder.end();
});

test("a project whose own work holds the lock is told with 429 that its own calls are in the way", async () => {
  await using the = await world({ env: { TIME_LIMITS: ONE_SLOW } });
  const own = await the.service.db.connections.take({ lane: "long", owner: the.project.id });
  const answers = await crowded(the, own.client).finally(() => own.release());
  assert.deepEqual(refusedWith(answers), [429]);
});

test("a transaction that is idle is seen with how long", async () => {
  await using the = await world();
  const idle = await program(the, "console");
  await idle.query("BEGIN; SELECT 1");
  await sleep(100);
  const stop = keepMeasured(the.service);
  await scrapeAbove(the.baseUrl, "leadgate_database_oldest_idle_transaction_seconds ", 0.09);
  stop();
  await idle.end();
});

large(
  "of a holder that the service's role may not see, and of a prepared transaction, as much is told as PostgreSQL shows",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "leadgate-locks-"));
    const settings = { fsync: "off", max_prepared_transactions: "2" };
    const server = await startEmbedded({ dataDir, settings });
    try {
      const url = new URL(server.url);
      const env = { DATABASE_URL: server.url, TIME_LIMITS: NO_SLOW_LANE };
      await using log = await logging(env, { env });
      const { the } = log;
      const key = await log.key(["leads:read"]);
      const admin = new URL(server.superuserUrl);
      admin.pathname = url.pathname;
      const other = new pg.Client({ connectionString: admin.href, application_name: "psql" });
      await other.connect();
      const blocked = async (holder: string, end: string) => {
        const asked = key.query({});
        await scrapeAbove(the.baseUrl, waits(holder), 0);
        await other.query(end);
        const answer = await asked;
        assert.equal(answer.status, 200);
        const line = await log.line(
          ({ msg, reqId }) => msg === "slow" && reqId === answer.headers.get("x-request-id"),
        );
        return (line.lock as { blocked_by: Line[] }).blocked_by[0] ?? {};
      };
      await other.query(LOCK);
      const { pid, ...hidden } = await blocked("hidden", "COMMIT");
      assert.equal(pid, (other as unknown as { processID: number }).processID);
      assert.deepEqual(hidden, { application: "psql", role: "postgres", state: "hidden" });
      await other.query(`${LOCK}; PREPARE TRANSACTION 'forgotten'`);
      const { open_s: open, ...prepared } = await blocked("prepared", "ROLLBACK PREPARED 'forgotten'");
      assert.deepEqual(prepared, { role: "postgres", prepared: "forgotten", state: "prepared" });
      assert.ok(Number(open) >= 1, `${open} s`);
      await other.query("BEGIN; SELECT 1");
      await other.query("PREPARE TRANSACTION 'old'");
      const stop = keepMeasured(the.service);
      await scrapeAbove(log.the.baseUrl, "leadgate_database_oldest_prepared_transaction_seconds ", 0);
      stop();
      await other.query("ROLLBACK PREPARED 'old'");
      await other.end();
    } finally {
      await server.stop();
      rmSync(dataDir, { recursive: true });
    }
  },
);
