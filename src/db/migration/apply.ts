import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Migration } from "./files.ts";
import { olderInstances, type Releases } from "./older-instances.ts";
import { RELEASE } from "./release.ts";
import { type ApplyOptions, applyApart } from "./without-transaction.ts";

/** How long a statement waits for a lock: what writers need queues behind it for as long. */
const LOCK_MS = 2_000;
/** How long to try again, with a growing pause in which the writers that waited get their turn. */
const RETRY_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Applies one migration in a transaction and records it; returns whether it did. If a lock is not free within two seconds,
 * everything is rolled back and tried again for five minutes. A contract migration waits, without an error, while an
 * instance of a release runs that it would end.
 */
export async function apply(
  client: pg.Client,
  migration: Migration,
  { report, watcher }: ApplyOptions,
): Promise<boolean> {
  const { name, header } = migration;
  if (header?.kind === "expand" && !header.transaction) {
    await applyApart(client, migration, { report, watcher });
    await record(client, migration);
    return true;
  }
  const until = performance.now() + RETRY_MS;
  for (let pause = FIRST_PAUSE_MS, isFirst = true; ; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
    try {
      const older = await applyOnce(client, migration);
      if (older.length === 0) return true;
      report?.(waitsFor(migration, older));
      return false;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      const isLocked = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isLocked) throw new Error(`migration ${name} failed and was rolled back`, { cause: error });
      if (performance.now() + pause > until)
        throw new Error(
          `migration ${name} got no lock within five minutes and was rolled back: another transaction holds it`,
          { cause: error },
        );
      if (isFirst) report?.(`migration ${name} waits for a lock that another transaction holds`);
      isFirst = false;
      await sleep(pause);
    }
  }
}

/** Applies a migration unless older instances run; returns their releases. */
async function applyOnce(client: pg.Client, migration: Migration): Promise<Releases> {
  const { header } = migration;
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL search_path = leadgate, public`);
  const older = header?.kind === "contract" ? await olderInstances(client, header.needs) : [];
  if (older.length > 0) {
    await client.query("ROLLBACK");
    return older;
  }
  await client.query(migration.sql);
  await record(client, migration);
  await client.query("COMMIT");
  return [];
}

function waitsFor({ name, header }: Migration, older: Releases): string {
  const needs = header?.kind === "contract" ? header.needs : "";
  const releases = [...new Set(older.map((release) => release ?? "unknown"))].sort().join(", ");
  return `migration ${name} waits until all instances are ${needs} or newer; instances that are older and run now: ${older.length} (${releases})`;
}

/** Whether the table of migrations has the columns of 0062. */
export const HAS_NEEDS = `SELECT EXISTS (SELECT FROM pg_attribute
  WHERE attrelid = 'leadgate.migration'::regclass AND attname = 'needs') AS has_needs`;

async function record(client: pg.Client, { name, header }: Migration): Promise<void> {
  const { rows } = await client.query<{ has_needs: boolean }>(HAS_NEEDS);
  if (rows[0]?.has_needs !== true)
    return void (await client.query("INSERT INTO leadgate.migration (name) VALUES ($1)", [name]));
  await client.query("INSERT INTO leadgate.migration (name, needs, release) VALUES ($1, $2, $3)", [
    ...[name, header?.kind === "contract" ? header.needs : null, RELEASE],
  ]);
}
