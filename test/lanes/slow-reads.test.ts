import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { large } from "../large.ts";
import { lockWaits } from "../lock-waits.ts";
import { type KeyActor, type World, world } from "../world.ts";

const CALLERS = 16;

/** Makes leads whose text is long, so that many conditions on it take seconds. */
const fill = (the: World, projectId: string, count: number) =>
  the.sql(
    `INSERT INTO store.lead (project_id, id, name, company)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), repeat(md5(i::text), 6), repeat(md5(i::text), 3)
     FROM generate_series(1, $2::integer) i`,
    [projectId, count],
  );

/** A filter that has to be compared with every lead; `seed` varies its values. */
const manyConditions = (seed: number, count = 90) => ({
  or: Array.from({ length: count }, (_, i) => ({
    field: i % 2 === 0 ? "name" : "company",
    op: "contains",
    value: `${(seed * 97 + i * 31) % 99}#`,
  })),
});

const slowCount = (key: KeyActor, seed: number) =>
  key.send("POST", "/api/v1/leads/count", { filter: manyConditions(seed), exact: true });

test("slow reads of one project fail nothing of another: pages, tokens, sign-in, readiness", async () => {
  await using the = await world({ env: { TIME_LIMITS: JSON.stringify({ fast: 0.1 }) } });
  await fill(the, the.project.id, 20_000);
  const loud = await the.key();
  const other = await the.newProject(await the.newPerson("Bo"));
  const quiet = await the.key(["leads:read"], other.id);
  let running = true;
  const answers: Response[] = [];
  const callers = Array.from({ length: CALLERS }, async (_, i) => {
    for (let n = 0; running; n += 1) answers.push(await slowCount(loud, i + n * CALLERS));
  });
  for (let i = 0; i < 20; i += 1) {
    const page = await quiet.query({ project_id: other.id, limit: 50 });
    assert.equal(page.status, 200, await page.text());
    const ready = await fetch(`${the.authUrl}/readyz`);
    assert.equal(ready.status, 200, await ready.text());
    assert.equal((await fetch(`${the.authUrl}/sign-in`)).status, 200);
    const refresh = await fetch(`${the.authUrl}/api/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "none", client_id: "none" }),
    });
    assert.ok(refresh.status < 500, `a token was answered with ${refresh.status}`);
  }
  await the.signedIn();
  running = false;
  await Promise.all(callers);
  for (const answer of answers) {
    if (answer.status === 200) continue;
    const { error } = (await answer.json()) as { error: { code: string } };
    assert.ok(["too_many_at_once", "too_slow"].includes(error.code), error.code);
    assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]$/);
  }
  assert.ok(answers.some(({ status }) => status === 429 || status === 503));
});

test("a page that took too long leaves its connection as it was: the next pages are found", async () => {
  await using the = await world({ env: { TIME_LIMITS: JSON.stringify({ fast: 0.05, query: 15 }) } });
  await fill(the, the.project.id, 10_000);
  const key = await the.key();
  const status = { field: "status", op: "eq", value: "new" };
  const page = (filter: object) => key.query({ filter, limit: 1, total: "none" });
  // The schema is known from now on, and is checked behind each page, on connections that did not read it yet, too.
  assert.equal((await page(status)).status, 200);
  const slow = [1, 2, 3, 4].map((n) => page({ and: [status, manyConditions(n)] }));
  const next = (await Promise.all(slow)).map(() => page(status));
  // Where the machine is busy, some are refused with 429 or 503.
  for (const answer of [...(await Promise.all(slow)), ...(await Promise.all(next))])
    assert.notEqual(answer.status, 500, await answer.text());
});

large(
  "a read that takes too long for the normal lane is answered from the slow one, and says so",
  async () => {
    // On a busy machine the comparison takes longer than any usual limit.
    await using the = await world({ env: { TIME_LIMITS: JSON.stringify({ fast: 0.4, query: 240 }) } });
    await fill(the, the.project.id, 40_000);
    const key = await the.key();
    const fast = await key.query({ limit: 1 });
    assert.equal(fast.status, 200);
    assert.equal(fast.headers.get("x-leadgate-lane"), null);
    const slow = await slowCount(key, 1);
    assert.equal(slow.status, 200, await slow.clone().text());
    assert.equal(slow.headers.get("x-leadgate-lane"), "slow");
    assert.deepEqual(await slow.json(), { count: 0, relation: "eq" });
    const validated = await key.send("POST", "/api/v1/leads/filters/validate", { filter: manyConditions(2) });
    assert.equal(((await validated.json()) as { slow: boolean }).slow, true);
    const cheap = { field: "status", op: "eq", value: "new" };
    const other = await key.send("POST", "/api/v1/leads/filters/validate", { filter: cheap });
    assert.equal(((await other.json()) as { slow: boolean }).slow, false);
  },
);

large(
  "a read that is fast again returns to the normal lane, however long it waited for the slow one",
  async () => {
    const FAST_MS = 1_000;
    await using the = await world({
      env: { TIME_LIMITS: JSON.stringify({ fast: FAST_MS / 1_000, query: 15, wait: 15 }) },
    });
    const key = await the.key();
    const others = await Promise.all(
      ["Bo", "Cy"].map(async (name) => {
        const { id } = await the.newProject(await the.newPerson(name));
        return await the.key(["leads:read"], id);
      }),
    );
    const holder = new pg.Client({ connectionString: the.databaseUrl });
    await holder.connect();
    /** While leads are locked, every read of them is slow. */
    const locked = async (work: () => Promise<void>) => {
      await holder.query("BEGIN");
      await holder.query("LOCK TABLE store.lead IN ACCESS EXCLUSIVE MODE");
      await work();
      await sleep(2 * FAST_MS);
      await holder.query("COMMIT");
    };
    const lanesOf = async (answers: readonly Promise<Response>[]) =>
      (await Promise.all(answers)).map(({ status, headers }) => [status, headers.get("x-leadgate-lane")]);
    try {
      let first: Promise<Response>[] = [];
      await locked(async () => {
        first = [slowCount(key, 1)];
        while ((await lockWaits(the)) < 1) await sleep(20);
      });
      assert.deepEqual(await lanesOf(first), [[200, "slow"]]);
      let second: Promise<Response>[] = [];
      await locked(async () => {
        second = others.map((other) => slowCount(other, 2));
        while ((await lockWaits(the)) < 2) await sleep(20);
        await sleep(2 * FAST_MS);
        second.push(slowCount(key, 1));
      });
      assert.deepEqual(await lanesOf(second), Array(3).fill([200, "slow"]));
      assert.deepEqual(await lanesOf([slowCount(key, 1)]), [[200, null]]);
    } finally {
      await holder.end();
    }
  },
);

large(
  "a read that passes its time limit is cancelled in PostgreSQL, and its connection is usable again",
  async () => {
    await using the = await world({
      env: {
        CONNECTIONS: JSON.stringify({ requests: 4 }),
        TIME_LIMITS: JSON.stringify({ fast: 0.1, query: 0.5, wait: 10 }),
      },
    });
    await fill(the, the.project.id, 40_000);
    const key = await the.key();
    for (let i = 0; i < 6; i += 1) {
      const answer = await slowCount(key, i);
      assert.equal(answer.status, 503);
      assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
      assert.equal(((await answer.json()) as { error: { code: string } }).error.code, "too_slow");
    }
    const [active] = await the.sql<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND query LIKE '%AS matches'`,
    );
    assert.equal(active?.n, 0);
    const pages = await Promise.all(Array.from({ length: 8 }, () => key.query({ limit: 1 })));
    assert.deepEqual([...new Set(pages.map(({ status }) => status))], [200]);
  },
);
