import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";
import { startEmbedded } from "../../../src/db/embedded/index.ts";
import { readPasswords } from "../../../src/db/embedded/server/passwords.ts";
import { migrate } from "../../../src/db/migrate.ts";

export interface BenchDatabase extends AsyncDisposable {
  url: string;
  sql<R>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Runs work that makes much data, two statements at a time: without triggers and checks of references, and with much
   * memory for sorting. A server of DATABASE_URL needs a superuser for it.
   */
  bulk(work: (sql: BenchDatabase["sql"]) => Promise<void>): Promise<void>;
  /** Writes a checkpoint, which a server of DATABASE_URL may refuse to this role; returns whether it did. */
  checkpoint(): Promise<boolean>;
  /** The process of the embedded server; undefined for another one. */
  pid: number | undefined;
}

/**
 * Returns the migrated database: the server of DATABASE_URL, or an embedded one whose folder is kept between
 * runs unless `fresh`.
 */
export async function benchDatabase(options: { fresh: boolean; folder?: string }): Promise<BenchDatabase> {
  const { folder = "data/bench" } = options;
  if (options.fresh) rmSync(folder, { recursive: true, force: true });
  const given = process.env.DATABASE_URL ?? "";
  const server = given === "" ? await startEmbedded({ dataDir: join(folder, "server") }) : undefined;
  const url = server?.url ?? given;
  await migrate(url);
  const pool = poolOf(url);
  return {
    url,
    pid: server === undefined ? undefined : postmasterOf(join(folder, "server")),
    sql: sqlOf(pool),
    async bulk(work) {
      const bulk = poolOf(server === undefined ? url : await superuserUrl(url, folder), BULK);
      try {
        await work(sqlOf(bulk));
      } finally {
        await bulk.end();
      }
    },
    checkpoint: async () => await checkpoint(server === undefined ? url : await superuserUrl(url, folder)),
    async [Symbol.asyncDispose]() {
      await pool.end();
      await server?.stop();
    },
  };
}

/** Entries of GIN indexes are collected in memory and written in their order. */
const BULK = [
  "session_replication_role=replica",
  "synchronous_commit=off",
  "maintenance_work_mem=1GB",
  "work_mem=256MB",
  "gin_pending_list_limit=128MB",
];

function poolOf(url: string, settings: readonly string[] = []): pg.Pool {
  const all = ["search_path=leadgate,store,public", "timezone=UTC", "jit=off", ...settings];
  const options = all.map((setting) => `-c ${setting}`).join(" ");
  const pool = new pg.Pool({ connectionString: url, max: 2, options });
  pool.on("error", (error) => process.stderr.write(`an idle connection was lost: ${error.message}\n`));
  return pool;
}

const sqlOf =
  (pool: pg.Pool): BenchDatabase["sql"] =>
  async <R>(text: string, values: readonly unknown[] = []) =>
    (await pool.query(text, [...values])).rows as R[];

async function superuserUrl(url: string, folder: string): Promise<string> {
  const { postgres } = await readPasswords(join(folder, "server"), { create: false });
  const as = new URL(url);
  as.username = "postgres";
  as.password = postgres;
  return String(as);
}

async function checkpoint(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("CHECKPOINT");
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** The first line of postmaster.pid, which PostgreSQL writes. */
const postmasterOf = (folder: string): number =>
  Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);

/** Returns the first known path where pgbench exists, or undefined. */
export function findPgbench(): string | undefined {
  const places = [
    "pgbench",
    ...[18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`),
  ];
  return places.find((place) => spawnSync(place, ["--version"]).status === 0);
}
