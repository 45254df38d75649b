import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { world } from "../world.ts";

/** Rows of a database as it was before changes were kept, made through the API of that version. */
interface Fixture {
  key: string;
  project: string;
  leads: Record<"a" | "b" | "c" | "w" | "l", string>;
  imports: Record<"done" | "undone" | "rows", string>;
  merge: string;
  dataset: string;
  erased: string;
  tables: Record<string, object[]>;
}

const FIXTURE = new URL("support/before-changes.json", import.meta.url);
const MIGRATIONS = new URL("../../db/migrations/", import.meta.url);
const LAST = "0044";

/** Makes a database of that version on the tests' server: its migrations, then its rows. */
async function olderDatabase({ tables }: Fixture): Promise<string> {
  const server = new URL(process.env.LEADGATE_TEST_SERVER ?? assert.fail("run it by test/run.ts"));
  const name = `older_${process.pid}`;
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href, options: "-c search_path=leadgate,public" });
  await client.connect();
  await client.query("CREATE SCHEMA leadgate");
  await client.query(
    "CREATE TABLE leadgate.migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
  );
  const files = readdirSync(MIGRATIONS).filter((file) => file.endsWith(".sql") && file.slice(0, 4) <= LAST);
  for (const file of files.sort()) {
    await client.query(readFileSync(new URL(file, MIGRATIONS), "utf8"));
    await client.query("INSERT INTO leadgate.migration (name) VALUES ($1)", [file]);
  }
  for (const [table, rows] of Object.entries(tables)) {
    const [first] = rows;
    if (first === undefined) continue;
    const columns = Object.keys(first).join(", ");
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  }
  // As if it had been written today.
  await client.query("UPDATE store.import SET expires_at = now() + interval '20 days'");
  await client.query("UPDATE store.merge SET created_at = now() - interval '1 hour'");
  await client.end();
  return url.href;
}

test("a database from before changes were kept is migrated: its imports and merges can be undone, and say what is kept", async () => {
  const fixture = JSON.parse(readFileSync(FIXTURE, "utf8")) as Fixture;
  await using the = await world({ env: { DATABASE_URL: await olderDatabase(fixture) } });
  const { leads, imports } = fixture;
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${the.baseUrl}/api/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${fixture.key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${text}`);
    return JSON.parse(text) as T;
  };
  const ended = async (id: string) => {
    for (;;) {
      const record = await send<{ state: string; undo: object }>("GET", `imports/${id}`);
      if (record.state !== "undoing") return record;
      await sleep(20);
    }
  };
  const { changes } = await send<{ changes: { kind: string; reversible: boolean; counts: object }[] }>(
    "GET",
    "changes",
  );
  assert.deepEqual(changes.map(({ kind, reversible }) => `${kind} ${reversible}`).sort(), [
    "import false",
    "import true",
    "import true",
    "lead.merge true",
    "undo true",
  ]);
  const former = await send<{ leads: object[] }>("GET", `imports/${imports.undone}/kept`);
  assert.deepEqual(former.leads, [{ lead_id: leads.c, reason: "changed", fields: ["name"] }]);

  await send("POST", `imports/${imports.done}/undo`);
  assert.deepEqual((await ended(imports.done)).undo, { deleted: 1, restored: 1, left: 3 });
  const kept = await send<{ leads: { lead_id: string; reason: string; fields: string[] }[] }>(
    "GET",
    `imports/${imports.done}/kept`,
  );
  assert.deepEqual(kept.leads.map(({ reason, fields }) => `${reason} ${fields}`).sort(), [
    "changed ",
    "changed name",
    "has_events ",
  ]);
  const ana = await send<{ name: string; city: string; custom: object }>("GET", `leads/${leads.a}`);
  assert.deepEqual([ana.name, ana.city, ana.custom], ["Ana", "Natal", {}]);

  await send("POST", `imports/${imports.rows}/undo`);
  assert.deepEqual((await ended(imports.rows)).undo, { deleted: 1, restored: 1, left: 0 });
  const { rows } = await send<{ rows: { domain: string; size: number }[] }>(
    ...(["POST", `datasets/${fixture.dataset}/query`, {}] as const),
  );
  assert.deepEqual(
    rows.map(({ domain, size }) => [domain, size]),
    [["one.example", 1]],
  );

  await send("POST", `merges/${fixture.merge}/undo`);
  assert.equal((await send<{ city: string }>("GET", `leads/${leads.l}`)).city, "Recife");
  const feed = await send<{ events: { type: string; lead_id: string }[] }>("GET", "events?types=lead.erased");
  assert.deepEqual(
    feed.events.map(({ lead_id }) => lead_id),
    [fixture.erased],
  );
});
