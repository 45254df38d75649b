import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { statementsOf } from "../../../src/db/migration/without-transaction.ts";

const MIGRATIONS = new URL("../../../db/migrations/", import.meta.url);

let made = 0;

/** Makes a database of a former version on the tests' server: its migrations up to `last`, then its rows. Returns its URL. */
export async function olderDatabase(
  last: string,
  fill: (client: pg.Client) => Promise<void>,
): Promise<string> {
  const server = new URL(process.env.LEADGATE_TEST_SERVER ?? assert.fail("run it by test/run.ts"));
  made += 1;
  const name = `older_${process.pid}_${made}`;
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
  const files = readdirSync(MIGRATIONS).filter((file) => file.endsWith(".sql") && file.slice(0, 4) <= last);
  for (const file of files.sort()) {
    const sql = readFileSync(new URL(file, MIGRATIONS), "utf8");
    const isApart = /^-- without a transaction$/m.test(sql);
    for (const part of isApart ? statementsOf({ name: file, sql }) : [sql]) await client.query(part);
    await client.query("INSERT INTO leadgate.migration (name) VALUES ($1)", [file]);
  }
  await fill(client);
  await client.end();
  return url.href;
}

/** Inserts rows into their tables. */
export async function insertAll(
  client: pg.Client,
  tables: Readonly<Record<string, object[]>>,
): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    const [first] = rows;
    if (first === undefined) continue;
    const columns = Object.keys(first).join(", ");
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  }
}
