import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { isDistributed } from "../check-addresses.ts";
import { migrate } from "../migrate.ts";
import type { FoundBackup } from "./backup.ts";
import { checkFile, unpacked } from "./files/packed-file.ts";
import { tableNames } from "./table-figures.ts";
import { columnsOf, fileOf, ROW_SCHEMAS } from "./take-rows.ts";
import { openedKey } from "./wal/archive.ts";
import { openClient } from "./wal/client.ts";

/** The key in `service_state` that marks a restored database until what its backup brought back to life is ended. */
export const RESTORING = "restoring";

export interface RowsOptions {
  /** Whether to mark the database as one whose restore is not finished. */
  isMarked: boolean;
  passphrase: string | undefined;
}

/**
 * Loads a backup of rows into an empty database, in one transaction: makes the tables as they were, by the same migrations, and
 * fills them. What later migrations change is left to the next start.
 */
export async function restoreRows(
  url: string,
  { folder, backup }: FoundBackup,
  { isMarked, passphrase }: RowsOptions,
): Promise<void> {
  const key = await openedKey(backup.key, passphrase);
  for (const file of backup.files) await checkFile(folder, file);
  const client = await openClient(url);
  try {
    await refuseUsed(client);
    await migrate(url, undefined, { only: backup.migrations });
    await client.query("BEGIN");
    await client.query("SET LOCAL maintenance_work_mem = '256MB'");
    const tables = await tableNames(client, ROW_SCHEMAS);
    const again = await takeDown(client, tables);
    await client.query(`TRUNCATE ${tables.join(", ")}`);
    for (const table of tables.filter((each) => backup.tables === null || each in backup.tables)) {
      const columns = (await columnsOf(client, table)).join(", ");
      const into = client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`));
      await pipeline(unpacked(join(folder, fileOf(table)), key), into);
    }
    for (const [name, value] of Object.entries(backup.sequences ?? {}))
      await client.query("SELECT setval($1::regclass, $2::bigint)", [name, value]);
    for (const statement of again) await client.query(statement);
    if (isMarked) {
      await client.query("INSERT INTO leadgate.service_state (key, value) VALUES ($1, 'rows')", [RESTORING]);
      // Those that ran when the backup was made do not run here.
      await client.query("DELETE FROM leadgate.instance");
    }
    await client.query("COMMIT");
    await client.query(`ANALYZE ${tables.join(", ")}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Throws unless the database has no people and is not distributed. */
async function refuseUsed(client: pg.Client): Promise<void> {
  if (await isDistributed(client))
    throw new Error(
      "The database is distributed over a cluster already. Restore into one that is not, then run `leadgate distribute`.",
    );
  const { rows } = await client.query<{ is_there: boolean }>(
    "SELECT to_regclass('leadgate.person') IS NOT NULL AS is_there",
  );
  if (rows[0]?.is_there !== true) return;
  if ((await client.query("SELECT FROM leadgate.person LIMIT 1")).rowCount === 0) return;
  throw new Error(
    "The database is in use: it has people. Restore into an empty one; a restore never replaces data.",
  );
}

/**
 * Removes what would slow down or refuse rows that come table by table: triggers, foreign keys and plain indexes. Returns the
 * statements that bring it back.
 */
async function takeDown(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const list = async (query: string) =>
    (await client.query<{ down: string; up: string }>(query, [ROW_SCHEMAS])).rows;
  const keys =
    await list(`SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS down,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS up
    FROM pg_constraint WHERE contype = 'f' AND connamespace = ANY($1::regnamespace[]) AND conparentid = 0`);
  const indexes =
    await list(`SELECT format('DROP INDEX %s', indexrelid::regclass) AS down, pg_get_indexdef(indexrelid) AS up
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = ANY($1::regnamespace[]) AND indrelid IN (SELECT oid FROM pg_class WHERE relpersistence = 'p')
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`);
  for (const { down } of [...keys, ...indexes]) await client.query(down);
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  return [
    ...indexes.map(({ up }) => up),
    ...keys.map(({ up }) => up),
    ...tables.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`),
  ];
}
