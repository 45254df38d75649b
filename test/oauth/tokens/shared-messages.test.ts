import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { world } from "../../world.ts";
import { Application, bodyOf, post } from "../support/application.ts";

test("a locked authorization delays no refreshes of others, and loses nothing", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const chains = [];
  for (let n = 0; n < 12; n += 1) chains.push(await app.tokens(browser));
  const [first] = await the.sql<{ id: string }>('SELECT id FROM store."authorization" ORDER BY created_at');
  const holder = new pg.Client(the.databaseUrl);
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query('SELECT FROM store."authorization" WHERE project_id = $1 AND id = $2 FOR UPDATE', [
      ...[the.project.id, first?.id],
    ]);
    const [held, ...others] = chains.map(({ refresh }) => app.refresh(refresh));
    for (const other of await Promise.all(others)) assert.equal(other.status, 200);
    await holder.query("ROLLBACK");
    const late = await held;
    if (late?.status === 503) {
      assert.notEqual(late.headers.get("retry-after"), null);
      assert.equal((await app.refresh(chains[0]?.refresh ?? "")).status, 200, "it stands as it was");
    } else assert.equal(late?.status, 200);
  } finally {
    await holder.end();
  }
});

test("when connections are lost during calls, all calls that shared one fail, and the next calls are served", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const { access } = await app.tokens(browser);
  for (let round = 0; round < 10; round += 1) {
    const calls = Array.from({ length: 40 }, () => post(the, "/api/oauth/introspect", { token: access }));
    await the.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'leadgate-%'",
    );
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    assert.deepEqual(
      [...statuses].filter((status) => status !== 200 && status !== 503),
      [],
    );
  }
  // The last calls may have ended before their connections did, which the next calls then notice.
  for (;;) {
    const answer = await post(the, "/api/oauth/introspect", { token: access });
    if (answer.status === 503) continue;
    assert.equal((await bodyOf(answer)).active, true);
    break;
  }
});
