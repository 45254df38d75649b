import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { large } from "../large.ts";
import { lockWaits } from "../lock-waits.ts";
import { Assistant } from "../mcp/support/assistant.ts";
import { blockOf } from "../operate/support/blocks.ts";
import type { World } from "../world.ts";
import { type Line, type Logging, logging, partsOf } from "./support/logging.ts";

const SLOW_MS = 400;

/** Locks all leads, so that whatever reads them waits. */
async function locked(the: World): Promise<{ release(): Promise<void> }> {
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE store.lead IN ACCESS EXCLUSIVE MODE");
  return { release: () => holder.end() };
}

/**
 * Makes what is asked slow, by a lock that is held until it waits, and for some time; returns its line in the slow log, of this
 * operation if one is named: on a busy machine, a request that starts a job is slow itself.
 */
async function slowed(log: Logging, ask: () => Promise<Response>, operation?: string): Promise<Line> {
  const before = log.lines().length;
  const lock = await locked(log.the);
  const asked = ask();
  let early: Response | undefined;
  asked.then((answer) => {
    early = answer;
  });
  while ((await lockWaits(log.the)) === 0) {
    // A job begins behind the answer.
    if (early !== undefined && early.status !== 202) assert.fail(await early.text());
    await sleep(20);
  }
  await sleep(SLOW_MS);
  await lock.release();
  const answer = await asked;
  assert.ok(answer.ok, await answer.clone().text());
  const isOf = (line: Line) => operation === undefined || line.operation === operation;
  return await log.line((line) => line.msg === "slow" && isOf(line), before);
}

const FILTER = {
  and: [
    { field: "score", op: "gt", value: 4321 },
    { field: "company", op: "contains", value: "Acme & Sons" },
    { field: "created_at", op: "in_last", value: { n: 30, unit: "day" } },
  ],
};
const [HIDDEN, SHOWN] = [
  "score is more than … and company contains … and created in the last 30 days",
  "score is more than 4,321 and company contains “Acme & Sons” and created in the last 30 days",
];
const ONE_LANE = { TIME_LIMITS: JSON.stringify({ fast: 0, query: 15 }) };

large(
  "whatever selects leads and is slow is in the log, with its filter as a sentence without values",
  async () => {
    await using log = await logging({ ...ONE_LANE, SLOW_LOG_MS: String(SLOW_MS) });
    const { the } = log;
    const key = await log.key(["leads:read", "leads:write"]);
    const assistant = await Assistant.authorized(the);
    const ofTools = { filter: { any: [{ all: FILTER.and }] } };
    const asks: [operation: string, ask: () => Promise<Response>][] = [
      ["leads.query", () => key.query({ filter: FILTER })],
      ["leads.search", () => key.send("POST", "/api/v1/leads/search", { filter: FILTER })],
      ["leads.count", () => key.send("POST", "/api/v1/leads/count", { filter: FILTER, exact: true })],
      [
        "leads.aggregate",
        () =>
          key.send("POST", "/api/v1/leads/aggregate", { filter: FILTER, group_by: [{ field: "status" }] }),
      ],
      ["leads.query", () => assistant.ask("tools/call", { name: "query_leads", arguments: ofTools })],
      [
        "leads.bulk",
        () =>
          key.send("POST", "/api/v1/leads/bulk", {
            op: "set",
            set: { status: "won" },
            filter: FILTER,
            dry_run: true,
          }),
      ],
      ["job export", () => key.send("POST", "/api/v1/exports", { filter: FILTER })],
    ];
    for (const [operation, ask] of asks) {
      const line = await slowed(log, ask, operation);
      assert.equal(line.filter, HIDDEN, JSON.stringify(line));
      assert.equal(line.project, the.project.id);
      const { parts, whole } = partsOf(line);
      assert.ok(Number(line.database_ms) >= SLOW_MS && parts <= whole + 0.001, JSON.stringify(line));
      assert.ok(Math.abs(whole - parts - Number(line.rest_ms)) < 0.5, JSON.stringify(line));
      const [longest] = line.sql as Line[];
      if (operation === "leads.search") {
        const shown = JSON.parse(blockOf("logs.md", "The slow log")) as Line & { sql: Line[] };
        // On a busy machine, the lock may be found.
        const names = Object.keys(line).filter((name) => name !== "lock");
        assert.deepEqual(names.sort(), Object.keys(shown).sort(), "as the page shows it");
        assert.deepEqual(Object.keys(longest ?? {}), Object.keys(shown.sql[0] ?? {}));
      }
      assert.match(String(longest?.sql), /\$1/);
      assert.match(String(longest?.fingerprint), /^[0-9a-f]{12}$/);
      assert.ok(Number(longest?.ms) >= SLOW_MS && Number(longest?.count) >= 1);
    }
    assert.ok(!/4,?321|Acme/.test(log.text()), "no value is in the log");
    const fingerprints = log.lines().flatMap(({ sql }) => (sql as Line[] | undefined)?.slice(0, 1) ?? []);
    assert.ok(
      new Set(fingerprints.map(({ fingerprint }) => fingerprint)).size < fingerprints.length,
      "the same statement has the same fingerprint",
    );
  },
);

test("with SLOW_LOG_VALUES, the sentence has its values", async () => {
  await using log = await logging({ ...ONE_LANE, SLOW_LOG_MS: String(SLOW_MS), SLOW_LOG_VALUES: "on" });
  const key = await log.key();
  const line = await slowed(log, () =>
    key.send("POST", "/api/v1/leads/search", { filter: FILTER, search: "ana" }),
  );
  assert.equal(line.filter, `(${SHOWN}) and mentions “ana”`);
});

large(
  "what is fast is not in the slow log, and nothing is with SLOW_LOG_MS=0 or ACCESS_LOG=off",
  async () => {
    await using log = await logging({ ...ONE_LANE, SLOW_LOG_MS: "0", ACCESS_LOG: "off" });
    const { the } = log;
    const key = await log.key();
    const lock = await locked(the);
    const asked = key.query({ filter: FILTER });
    while ((await lockWaits(the)) === 0) await sleep(20);
    await sleep(1_100);
    await lock.release();
    assert.equal((await asked).status, 200);
    log.child.kill("SIGTERM");
    await log.line(({ msg }) => msg === "stopped");
    assert.deepEqual(
      log.lines().filter(({ msg }) => msg === "slow" || msg === "answered"),
      [],
    );

    await using other = await logging({ SLOW_LOG_MS: "60000" });
    const fast = await (await other.key()).query({ filter: FILTER });
    await other.lineOf(fast);
    assert.ok(!other.lines().some(({ msg }) => msg === "slow"));
  },
);

large(
  "a statement that was cancelled at its time limit is in the slow log, with the lanes that it tried",
  async () => {
    await using log = await logging({
      TIME_LIMITS: JSON.stringify({ fast: 0.2, query: 0.6 }),
      SLOW_LOG_MS: String(SLOW_MS),
    });
    const key = await log.key();
    const lock = await locked(log.the);
    const answer = await key.send("POST", "/api/v1/leads/count", { filter: FILTER, exact: true });
    assert.equal(answer.status, 503);
    await lock.release();
    const line = await log.line(({ msg }) => msg === "slow");
    assert.deepEqual([line.refusal, line.status, line.lane, line.filter], ["too_slow", 503, "slow", HIDDEN]);
    const [cancelled] = line.sql as Line[];
    assert.equal(cancelled?.failed, "57014");
    assert.equal(cancelled?.count, 2);
  },
);

large("a flood of slow operations writes ten lines a second, and how many it left out", async () => {
  await using log = await logging({ ...ONE_LANE, SLOW_LOG_MS: "1" });
  const { the } = log;
  const key = await log.key();
  const lock = await locked(the);
  const asked = Array.from({ length: 40 }, () =>
    key.send("POST", "/api/v1/leads/count", { filter: FILTER, exact: true }),
  );
  while ((await lockWaits(the)) === 0) await sleep(20);
  await sleep(100);
  await lock.release();
  for (const answer of await Promise.all(asked)) await answer.text();
  const written = () =>
    log.lines().filter(({ operation, msg }) => operation === "leads.count" && msg === "slow").length;
  const leftOut = () => log.lines().reduce((sum, { left_out: count }) => sum + Number(count ?? 0), 0);
  while (written() + leftOut() < 40) await sleep(50);
  assert.ok(written() < 40 && leftOut() > 0, `${written()} written, ${leftOut()} left out`);
});

large("time that is spent waiting for a connection is told apart from time in the database", async () => {
  await using log = await logging({
    ...ONE_LANE,
    SLOW_LOG_MS: String(SLOW_MS),
    CONNECTIONS: JSON.stringify({ requests: 4, jobs: 6 }),
  });
  const { the } = log;
  const key = await log.key();
  const lock = await locked(the);
  const asked = Array.from({ length: 12 }, () =>
    key.send("POST", "/api/v1/leads/count", { filter: FILTER, exact: true }),
  );
  while ((await lockWaits(the)) === 0) await sleep(20);
  await sleep(SLOW_MS);
  await lock.release();
  const ids = (await Promise.all(asked)).map((answer) => answer.headers.get("x-request-id"));
  const lines = await Promise.all(
    ids.map((id) => log.line(({ reqId, msg }) => reqId === id && msg === "answered")),
  );
  assert.ok(
    lines.some(({ wait_ms: wait }) => Number(wait) >= SLOW_MS),
    "some waited for a connection",
  );
  assert.ok(
    lines.some(({ database_ms: ms }) => Number(ms) >= SLOW_MS),
    "some waited in the database",
  );
  for (const line of lines) {
    const { parts, whole } = partsOf(line);
    assert.ok(parts <= whole + 0.001, JSON.stringify(line));
  }
});
