import assert from "node:assert/strict";
import { addLeads } from "../../api/support/leads.ts";
import { large } from "../../large.ts";
import { type World, world } from "../../world.ts";
import { Application, exchange, post, tokensOf } from "../support/application.ts";

const OTHERS = 2_000;
/** Rows and index entries that a call may read of all our tables; a project has thousands. */
const FEW = 60;
/** PostgreSQL keeps the plan of a prepared statement after five executions on a connection. */
const KEPT_AFTER = 7;

/** Returns the reads of tables and indexes that PostgreSQL counted, by name, once every connection has reported. */
async function reads(the: World): Promise<Map<string, number>> {
  const { pool } = the.service.db;
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  // All connections at once, so that those which work after the response have reported too.
  for (const client of clients) {
    await client.query("SELECT pg_stat_force_next_flush()");
    client.release();
  }
  await the.sql("SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()");
  const rows = await the.sql<{ name: string; n: string }>(
    `SELECT relname AS name, seq_tup_read::text AS n FROM pg_stat_user_tables
     UNION ALL SELECT indexrelname, idx_tup_read::text FROM pg_stat_user_indexes`,
  );
  return new Map(rows.map(({ name, n }) => [name, Number(n)]));
}

/** Returns the additional reads during the work, most first. */
async function during(the: World, work: () => Promise<Response>): Promise<[string, number][]> {
  await reads(the);
  const before = await reads(the);
  const answer = await work();
  assert.equal(answer.status, 200, await answer.text());
  const after = await reads(the);
  return [...after]
    .map(([name, n]): [string, number] => [name, n - (before.get(name) ?? 0)])
    .filter(([, n]) => n > 0)
    .sort(([, a], [, b]) => b - a);
}

/** Copies a table's only row under other ids, in a table that was not analyzed. */
async function crowd(the: World, table: string, changes: string): Promise<void> {
  const [{ columns } = { columns: "" }] = await the.sql<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
     WHERE attrelid = 'store.${table}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
  );
  await the.sql(
    `INSERT INTO store.${table} (${columns}) SELECT ${columns} FROM (
       SELECT (jsonb_populate_record(NULL::store.${table}, to_jsonb(one) || ${changes})).*
       FROM (SELECT * FROM store.${table} ORDER BY project_id LIMIT 1) AS one, generate_series(1, ${OTHERS}) AS n
     ) AS copies`,
  );
}

large(
  "on tables that were never analyzed a call reads only its own rows, not all of a project's tokens, keys and leads",
  async () => {
    await using the = await world({ alone: true });
    const app = await Application.register(the);
    const browser = await the.signedIn();
    const tokens = await app.tokens(browser);
    const key = await the.key();
    await addLeads(the, [{ name: "Ana" }]);
    for (const table of ["access_token", '"authorization"', "authorization_code", "api_key", "lead"])
      await the.sql(`ALTER TABLE store.${table} SET (autovacuum_enabled = off)`);
    let granted = await app.code(browser);
    let refresh = tokens.refresh;
    const calls: Record<string, () => Promise<Response>> = {
      introspection: () => post(the, "/api/oauth/introspect", { token: tokens.access }),
      "token door": () =>
        fetch(`${the.authUrl}/mcp`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${tokens.access}`,
            "Content-Type": "application/json",
            Accept: "application/json, text/event-stream",
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
        }),
      refresh: async () => {
        const answer = await app.refresh(refresh);
        refresh = (await tokensOf(answer.clone())).refresh;
        return answer;
      },
      exchange: () => exchange(the, granted),
      "key door and the newest page": () => key.query({ limit: 5, total: "none" }),
    };
    // The cached plans were made when the tables were nearly empty.
    for (const call of Object.values(calls))
      for (let i = 0; i < KEPT_AFTER; i += 1) {
        granted = await app.code(browser);
        assert.equal((await call()).status, 200);
      }
    granted = await app.code(browser);
    const hash = `jsonb_build_object('hash', '\\x' || encode(sha256(n::text::bytea), 'hex')`;
    await crowd(the, "access_token", `${hash}, 'id', 'tok_' || n)`);
    await crowd(
      the,
      '"authorization"',
      `jsonb_build_object('id', 'aut_' || n, 'refresh_hash', '\\x' || encode(sha256(('r' || n)::bytea), 'hex'))`,
    );
    await crowd(the, "api_key", `${hash}, 'id', 'key_' || n)`);
    await crowd(the, "lead", "jsonb_build_object('id', 'lead_' || lpad(n::text, 26, '0'))");
    for (const [name, call] of Object.entries(calls)) {
      const read = await during(the, call);
      const all = read.reduce((sum, [, n]) => sum + n, 0);
      assert.ok(all > 0, `${name} read nothing, which cannot be`);
      assert.ok(all <= FEW, `${name} read ${all}: ${JSON.stringify(read.slice(0, 5))}`);
    }
  },
);
