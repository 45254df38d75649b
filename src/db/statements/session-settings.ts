import { randomBytes } from "node:crypto";
import { type SentEach, type StatementBatches, send } from "../wire/send.ts";
import type { Statement } from "../wire/statement-batch.ts";

/** What statements rely on, besides their time limit. */
const SETTINGS = {
  timezone: "UTC",
  search_path: "leadgate,public",
  idle_in_transaction_session_timeout: "60000",
  jit: "off",
  max_parallel_workers_per_gather: "0",
  // PostgreSQL's own 4 is for disks that turn. With it, the leads of one project are not read by an index but with all others.
  random_page_cost: "1.1",
};

/**
 * On a cluster: the tables themselves, since the views show the project of a setting, which another node does not have; and
 * a statement that does not name its project, so that it would go to several shards, is refused. Planned for all values, even one
 * that names its project would.
 */
const DISTRIBUTED = {
  search_path: "store,leadgate,public",
  "citus.multi_task_query_log_level": "error",
  plan_cache_mode: "force_custom_plan",
};

const settingsOf = (distributed: boolean): Readonly<Record<string, string>> =>
  distributed ? { ...SETTINGS, ...DISTRIBUTED } : SETTINGS;

/** Lets the next statement of its transaction visit several projects; without a cluster it has no effect. */
export const VISITING_ALL: Statement = {
  text: "SELECT set_config('citus.multi_task_query_log_level', 'off', true)",
  values: [],
};

/** The same for a transaction that writes several projects, or what belongs to none behind it: one node after another. */
export const CHANGING_ALL: Statement = {
  text: `${VISITING_ALL.text}, set_config('citus.multi_shard_modify_mode', 'sequential', true)`,
  values: [],
};

/** By these the server notices within half a minute that a machine is gone, and frees its locks. */
const NOTICING = {
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "25000",
};

/** By this a client notices the same of the server: it tests an idle connection after this time and gives up ten seconds later. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const;

const commandLine = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");

/** The start-up options by which the server notices that the machine of a migration, or the network to it, is gone. */
export const migrationOptions = (more: Readonly<Record<string, string>> = {}): string =>
  commandLine({
    ...NOTICING,
    timezone: SETTINGS.timezone,
    lock_timeout: "10s",
    idle_in_transaction_session_timeout: "5s",
    ...more,
  });

/**
 * Settings for the start of connections, as PostgreSQL's command line; a pooler does not pass them on. The name tells these
 * connections from all others (see Watch).
 */
export function startOptions(statementTimeoutMs: number, distributed: boolean): string {
  return commandLine({
    ...settingsOf(distributed),
    ...NOTICING,
    application_name: `leadgate-${randomBytes(4).toString("hex")}`,
    statement_timeout: String(statementTimeoutMs),
  });
}

/** Sends batches with the settings ahead of each, because a pooler gives each transaction another connection. */
export function sendWithSettings(statementTimeoutMs: number, distributed: boolean): typeof send {
  const all = Object.entries({ ...settingsOf(distributed), statement_timeout: String(statementTimeoutMs) });
  const text = `SELECT ${all.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(", ")}`;
  const settings: Statement = { text, values: [] };
  return <const C extends StatementBatches>(client: Parameters<typeof send>[0], batches: C): SentEach<C> =>
    send(
      client,
      batches.map((batch) => [settings, ...batch]),
    ).map(async (one) => {
      const { error, results } = await one;
      return { error, results: results.slice(1) };
    }) as SentEach<C>;
}
