import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../embedded/index.ts";
import type { FoundBackup } from "./backup.ts";
import { restoreFiles } from "./restore-files.ts";
import { restoreRows } from "./restore-rows.ts";
import { differences, figuresOf, tableNames } from "./table-figures.ts";
import { ROW_SCHEMAS } from "./take-rows.ts";

/** What a verification found. */
export interface Verified {
  tables: number;
  rows: number;
  /** False if the tables could not be counted when the backup was made: then it was only restored. */
  is_compared: boolean;
  /** A line for each table that is not as it was. */
  differences: string[];
}

/** Restores a backup into a server of its own in the folder `scratch`, and compares the rows and checksum of every table. */
export async function verifyBackup(found: FoundBackup, scratch: string): Promise<Verified> {
  const { backup } = found;
  const dataDir = join(scratch, "data");
  if (backup.kind === "files") {
    const point = backup.log?.point ?? null;
    await restoreFiles(found, { dataDir, target: point === null ? "end" : { point } });
  }
  const server = await startEmbedded({ dataDir });
  try {
    if (backup.kind === "rows") await restoreRows(server.url, found, { isMarked: false });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      const tables = await tableNames(client, ...(backup.kind === "rows" ? [ROW_SCHEMAS] : []));
      const figures = await figuresOf(client, tables);
      const rows = Object.values(figures).reduce((sum, each) => sum + each.rows, 0);
      const wrong = backup.tables === null ? [] : differences(backup.tables, figures);
      return { tables: tables.length, rows, is_compared: backup.tables !== null, differences: wrong };
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
  }
}
