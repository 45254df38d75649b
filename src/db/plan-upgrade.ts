import type pg from "pg";
import { HAS_NEEDS } from "./migration/apply.ts";
import { ANSWER_MS, connected, end } from "./migration/connect.ts";
import { migrationNames, readMigration } from "./migration/files.ts";
import { NEEDS, refusalOf } from "./migration/needs.ts";
import { LIVING, olderThan, type Releases } from "./migration/older-instances.ts";
import { RELEASE } from "./migration/release.ts";

/** What a start of this release would do to a database, and whether others may serve it meanwhile. */
export interface UpgradePlan {
  release: string;
  migrations: PlannedMigration[];
  /** The releases of instances that run now, and whether they may keep running until they are replaced. */
  instances: { release: string | null; may_keep_running: boolean }[];
  /** When the newest regular backup was complete; null if none is known. */
  last_backup: string | null;
  backup_age_hours: number | null;
  /** Why it cannot be applied while the service runs; null if it can. */
  reason: string | null;
}

interface PlannedMigration {
  name: string;
  kind: "expand" | "contract" | "unknown";
  needs: string | null;
  without_transaction: boolean;
  /** Whether it waits until older instances have ended. */
  waits: boolean;
}

const RUNNING = `SELECT to_jsonb(instance)->>'release' AS release FROM leadgate.instance
  WHERE seen_at > leadgate.moment() - ${LIVING} ORDER BY 1`;

const BACKUP = `WITH newest AS (
    SELECT max((backup->>'finished')::timestamptz) AS at
    FROM leadgate.backup_report, jsonb_array_elements(report->'backups') AS backup
  ) SELECT at, extract(epoch FROM clock_timestamp() - at)::float8 / 3600 AS hours FROM newest WHERE at IS NOT NULL`;

/** Returns what a start of this release would do. Changes nothing. */
export async function planUpgrade(url: string): Promise<UpgradePlan> {
  const client = await connected(url, { query_timeout: ANSWER_MS });
  try {
    await client.query("BEGIN READ ONLY");
    const known = (await hasTable(client, "migration"))
      ? (await client.query<{ name: string }>("SELECT name FROM leadgate.migration")).rows
      : [];
    const names = new Set(known.map(({ name }) => name));
    const missing = (await migrationNames()).filter((name) => !names.has(name));
    const running = (await hasTable(client, "instance"))
      ? (await client.query<{ release: string | null }>(RUNNING)).rows.map(({ release }) => release)
      : [];
    const migrations = await Promise.all(missing.map((name) => planned(name, running)));
    const unknown = migrations.filter(({ kind }) => kind === "unknown").map(({ name }) => name);
    const refusal = known.length === 0 ? undefined : await refused(client);
    const stop =
      unknown.length > 0 && running.length > 0
        ? `Stop all instances first: those of the release before may not work with ${unknown.join(", ")}.`
        : null;
    const [backup] = (await hasTable(client, "backup_report"))
      ? (await client.query<{ at: Date; hours: number }>(BACKUP)).rows
      : [];
    return {
      release: RELEASE,
      migrations,
      instances: running.map((release) => ({ release, may_keep_running: unknown.length === 0 })),
      last_backup: backup?.at.toISOString() ?? null,
      backup_age_hours: backup === undefined ? null : Math.round(backup.hours * 10) / 10,
      reason: refusal?.message ?? stop,
    };
  } finally {
    await end(client);
  }
}

async function planned(name: string, running: Releases): Promise<PlannedMigration> {
  const { header } = await readMigration(name);
  const needs = header?.kind === "contract" ? header.needs : null;
  return {
    ...{ name, kind: header?.kind ?? "unknown", needs },
    without_transaction: header?.kind === "expand" && !header.transaction,
    waits: needs !== null && olderThan(needs, running).length > 0,
  };
}

async function refused(client: pg.Client): Promise<Error | undefined> {
  const { rows } = await client.query<{ has_needs: boolean }>(HAS_NEEDS);
  return rows[0]?.has_needs === true
    ? refusalOf((await client.query<{ needs: string }>(NEEDS)).rows)
    : undefined;
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_class WHERE oid = to_regclass($1)", [
    `leadgate.${name}`,
  ]);
  return rows.length > 0;
}
