import pg from "pg";
import { EmbeddedError } from "../host/embedded-error.ts";
import type { RunAs } from "../host/run-as.ts";
import type { Cluster } from "./cluster.ts";
import { urlOf } from "./probe.ts";

/** Values of a collation with the version that they were sorted by, and the version that this PostgreSQL has. */
interface Collation {
  name: string;
  recorded: string;
  actual: string | null;
}

// The locale of the database, and the collations of columns and indexes. Those without a version, such as C, never change.
const COLLATIONS = `SELECT name, recorded, actual FROM (
    SELECT format('the locale %s of the provider %s', coalesce(datlocale, datcollate),
        CASE datlocprovider WHEN 'b' THEN 'builtin' WHEN 'i' THEN 'icu' ELSE 'libc' END) AS name,
      datcollversion AS recorded, pg_database_collation_actual_version(oid) AS actual
    FROM pg_database WHERE datname = current_database()
    UNION ALL
    SELECT format('the collation %I', collname), collversion, pg_collation_actual_version(oid)
    FROM pg_collation WHERE oid IN (SELECT attcollation FROM pg_attribute WHERE attcollation <> 0)
  ) AS used WHERE recorded IS NOT NULL AND actual IS DISTINCT FROM recorded ORDER BY name`;

const EXTENSIONS = `SELECT extname AS name, extversion AS version FROM pg_extension
  WHERE NOT EXISTS (SELECT FROM pg_available_extension_versions a WHERE a.name = extname AND a.version = extversion)
  ORDER BY extname`;

const LIBRARIES = `SELECT DISTINCT e.extname AS name, p.probin AS library FROM pg_extension e
    JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
    JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
  WHERE p.probin IS NOT NULL ORDER BY 1`;

/**
 * Compares the locale, the collations and the extensions of the database with those of the PostgreSQL in PG_BIN, before anything else
 * uses it. Another version of a collation sorts otherwise, so that indexes would miss rows.
 */
export async function checkDatabase(cluster: Cluster, runAs: RunAs, port: number): Promise<void> {
  const { pgBin, version } = runAs.binaries;
  if (pgBin === undefined) return;
  const refuse = (reason: string, remedy: string): never => {
    throw new EmbeddedError(
      `${cluster.folder} does not fit PostgreSQL ${version} of PG_BIN (${pgBin}): ${reason}; ${remedy}, or leave PG_BIN out`,
    );
  };
  const client = new pg.Client({ connectionString: urlOf(cluster, port, "postgres") });
  client.on("error", () => {});
  await client.connect();
  try {
    const [collation] = (await client.query<Collation>(COLLATIONS)).rows;
    if (collation !== undefined) {
      const { name, recorded, actual } = collation;
      refuse(
        `${name} has version ${recorded} in the database and ${actual ?? "none"} in this PostgreSQL, which sorts otherwise`,
        "set PG_BIN to a build with that version",
      );
    }
    const absent = (await client.query<{ name: string; version: string }>(EXTENSIONS)).rows;
    if (absent.length > 0) {
      refuse(
        `it lacks ${absent.map((each) => `${each.name} ${each.version}`).join(", ")}, which the database uses`,
        "install its contrib package (Debian has it in postgresql-18, PGDG for RHEL in postgresql18-contrib)",
      );
    }
    for (const { name, library } of (await client.query<{ name: string; library: string }>(LIBRARIES)).rows) {
      await client.query(`LOAD ${client.escapeLiteral(library)}`).catch((error: unknown) => {
        refuse(
          `the extension ${name} does not load (${error instanceof Error ? error.message : String(error)})`,
          "install its contrib package",
        );
      });
    }
  } finally {
    await client.end().catch(() => {});
  }
}

/** The version that a running server reports, such as `18.6 (Debian 18.6-3)`. */
export async function serverVersion(cluster: Cluster, port: number): Promise<string> {
  const client = new pg.Client({ connectionString: urlOf(cluster, port, "postgres") });
  client.on("error", () => {});
  await client.connect();
  try {
    return (
      (await client.query<{ server_version: string }>("SHOW server_version")).rows[0]?.server_version ?? ""
    );
  } finally {
    await client.end().catch(() => {});
  }
}
