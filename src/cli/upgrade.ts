import { startEmbedded } from "../db/embedded/index.ts";
import type { Work } from "../db/migration/estimate.ts";
import { planUpgrade, type UpgradePlan } from "../db/plan-upgrade.ts";
import type { Command } from "./command.ts";

export const upgrade: Command = {
  name: "upgrade",
  usage:
    "upgrade --check   (what the next start of this release does to the database; exit code 0 if others may serve meanwhile, otherwise 1)",
  options: { check: { type: "boolean" } },
  required: ["check"],
  async run({ config }) {
    const embedded =
      config.databaseUrl === undefined
        ? await startEmbedded({ dataDir: config.dataDir, pgBin: config.pgBin, attach: true })
        : undefined;
    try {
      return await planUpgrade(config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.url ?? "");
    } finally {
      await embedded?.stop();
    }
  },
  isFailure: ({ reason }: UpgradePlan) => reason !== null,
  readable: (plan: UpgradePlan) => linesOf(plan).join("\n"),
};

function linesOf(plan: UpgradePlan): string[] {
  const { release, migrations, instances, last_backup: backup, backup_age_hours: age } = plan;
  const count = migrations.length;
  const running = instances.map((instance) => instance.release ?? "unknown").join(", ");
  return [
    count === 0
      ? `Leadgate ${release} has nothing to change in this database.`
      : `Leadgate ${release} would apply ${count} ${count === 1 ? "migration" : "migrations"}: ${timeOf(plan.about_seconds)}`,
    ...migrations.flatMap(linesOfMigration),
    `Instances that run now: ${running || "none"}`,
    `Newest regular backup: ${backup === null ? "none is known" : `${backup}, ${age} hours ago`}`,
    ...plan.warnings.map((warning) => `WARNING: ${warning}`),
    plan.reason === null
      ? `It can be started${instances.length > 0 ? " while the others serve" : ""}.`
      : `NOT YET: ${plan.reason}`,
  ];
}

const KINDS = {
  expand: "older instances do not notice it",
  contract: "only for newer instances",
  unknown: "older instances may not work with it",
};

function linesOfMigration(migration: UpgradePlan["migrations"][number]): string[] {
  const { name, kind, needs, waits, tables, about_seconds } = migration;
  const large = tables.filter(({ bytes }) => bytes >= MEGABYTE);
  const who = needs === null ? KINDS[kind] : `needs ${needs} or newer on all instances`;
  return [
    `  ${name}: ${kind}, ${who}; ${timeOf(about_seconds)}${waits ? "; it waits until older instances have ended" : ""}`,
    ...large.map(
      ({ table, work, rows, bytes }) =>
        `    ${WORDS[work]} ${table}: ${rows === null ? "" : `about ${rows.toLocaleString("en")} rows, `}${sizeOf(bytes)}`,
    ),
  ];
}

const WORDS: Readonly<Record<Work, string>> = {
  check: "checks all rows of",
  index: "builds an index on",
  "search index": "builds a search index on",
  rows: "changes rows of",
  rewrite: "writes again all of",
};

const MEGABYTE = 1_000_000;
const sizeOf = (bytes: number): string => `${Math.round(bytes / MEGABYTE).toLocaleString("en")} MB`;

function timeOf(seconds: number | null): string {
  if (seconds === null) return "for how long is not known on a cluster";
  if (seconds <= 1) return "about a second at most";
  if (seconds < 120) return `about ${Math.ceil(seconds)} seconds at most`;
  return `about ${Math.ceil(seconds / 60).toLocaleString("en")} minutes at most`;
}
