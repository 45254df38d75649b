import { normalize, sep } from "node:path";

/** Tests that a cluster cannot run, by the beginning of their paths, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "test/units": "needs no database",
  "test/backups": "copies and restores whole servers: a cluster's backups are its nodes' own",
  "test/embedded": "is about the PostgreSQL that we bring",
  "test/install": "is about the PostgreSQL that we bring",
  "test/operate": "runs the examples of the documents, which start their own servers",
  "test/packages": "needs no database",
  "test/oauth/tokens/fresh-tables.test.ts": "counts what the plans of one server read",
  "test/pooler": "stands behind PgBouncer, whose database is one server",
  "test/round-trips": "counts the messages of one server",
  "test/silence": "cuts the network to one server",
  "test/upgrade": "applies the migrations of earlier releases, which had no cluster",
  "test/api/filters/indexes.test.ts": "reads plans, which a cluster shows in another form",
  "test/api/filters/usual-queries.test.ts": "counts the scans of one server",
  "test/api/leads/before-analyze.test.ts": "reads plans, which a cluster shows in another form",
  "test/api/leads/shared-external-ids.test.ts":
    "applies the migrations of earlier releases, which had no cluster",
  "test/imports/first-imports.test.ts": "applies a migration of an earlier release, which had no cluster",
  "test/imports/mapping/skipped-before.test.ts":
    "applies a migration of an earlier release, which had no cluster",
  "test/field-indexes/older-database.test.ts":
    "applies the migrations of earlier releases, which had no cluster",
  "test/datasets/moved-import-rows.test.ts":
    "applies a migration of an earlier release, which had no cluster",
  "test/changes/older": "applies the migrations of earlier releases, which had no cluster",
  "test/chaos": "kills servers of its own",
  "test/crash.test.ts": "kills a server of its own",
  "test/floors.test.ts": "reads the sources",
  "test/routes.test.ts": "reads the sources",
  "test/operations.test.ts": "reads the sources",
};

/** What runs on a cluster with every run of all tests, in a few minutes. */
export const SUBSET = [
  "test/citus/backup.test.ts",
  "test/citus/distribute.test.ts",
  "test/citus/feed.test.ts",
  "test/citus/one-shard.test.ts",
  "test/citus/prepared.test.ts",
  "test/citus/tables.test.ts",
  "test/citus/walls.test.ts",
];

/** Why a test cannot run on a cluster; undefined if it can. */
export function reasonOf(file: string): string | undefined {
  const path = normalize(file).split(sep).join("/");
  return Object.entries(ELSEWHERE).find(([start]) => path.startsWith(start))?.[1];
}
