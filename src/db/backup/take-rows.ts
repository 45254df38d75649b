import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { isDistributed } from "../check-addresses.ts";
import { countInstances } from "../migration/older-instances.ts";
import { packedFile } from "./files/packed-file.ts";
import { figuresOf, tableNames } from "./table-figures.ts";
import type { Contents, FilesOptions } from "./take-files.ts";
import { openClient } from "./wal/client.ts";

/** The schemas of rows; jobs that the queue had are queued again after a restore. */
export const ROW_SCHEMAS = ["leadgate", "store"];

/** Who has which lead open. It would not survive a crash of one PostgreSQL; a cluster has only tables whose rows do. */
const NOT_KEPT = "store.presence";

/**
 * Copies the rows of every table into a folder, all of them as they were at one moment. Nodes of a cluster have no moment in common,
 * so there it refuses while instances run, and lets none start until it is done.
 */
export async function takeRows(
  url: string,
  folder: string,
  { key, onProgress, signal }: Pick<FilesOptions, "key" | "onProgress" | "signal">,
): Promise<Contents> {
  const client = await openClient(url);
  try {
    const distributed = await isDistributed(client);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0");
    if (distributed) await refuseWriters(client);
    const tables = (await tableNames(client, ROW_SCHEMAS)).filter((name) => name !== NOT_KEPT);
    const contents: Contents = { files: [], tables: {}, log: null, sequences: await sequencesOf(client) };
    let done = 0;
    for (const table of tables) {
      const file = await packedFile(folder, fileOf(table), key);
      const columns = (await columnsOf(client, table)).join(", ");
      const rows = client.query(copyTo(`COPY (SELECT ${columns} FROM ${table}) TO STDOUT`));
      rows.on("data", (chunk: Buffer) => {
        done += chunk.length;
      });
      await pipeline(rows, file.input, { end: false, signal });
      contents.files.push(await file.finish());
      onProgress?.(done);
    }
    contents.restoredBytes = done;
    contents.tables = await figuresOf(client, tables);
    await client.query("COMMIT");
    return contents;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Throws if instances run; lets none start until the transaction ends. */
async function refuseWriters(client: pg.ClientBase): Promise<void> {
  // Instances write there before they serve. The lock comes before the first statement, which sees those that were faster.
  await client.query("LOCK TABLE leadgate.instance IN SHARE MODE");
  const count = await countInstances(client);
  if (count > 0)
    throw new Error(
      `The projects are on several nodes of a cluster, so a copy of their rows is of one moment only if nothing is written. Instances that ran just now: ${count}. Back up the nodes themselves (docs/operate/scale.md, Backups), or stop all instances.`,
    );
}

/** The file with the rows of a table. */
export const fileOf = (table: string): string => `${table.replaceAll('"', "")}.rows.zst`;

/** The columns of a table that are stored as they are given, quoted. */
export async function columnsOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function sequencesOf(client: pg.ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = ANY($1) AND last_value IS NOT NULL ORDER BY 1`,
    [ROW_SCHEMAS],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
