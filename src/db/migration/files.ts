import { readdir, readFile } from "node:fs/promises";
import { type Header, headerOf } from "./header.ts";

const FOLDER = new URL("../../../db/migrations/", import.meta.url);

export interface Migration {
  /** The name of its file. */
  name: string;
  sql: string;
  /** Undefined for files before 0062. */
  header: Header | undefined;
}

/** The names of all migrations of this release, in order. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
}

export async function readMigration(name: string): Promise<Migration> {
  const sql = await readFile(new URL(name, FOLDER), "utf8");
  return { name, sql, header: headerOf(sql) };
}
