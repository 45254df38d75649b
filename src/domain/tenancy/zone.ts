import type { Queryable } from "../../db/pool/database.ts";

const LIST = `SELECT name FROM pg_timezone_names WHERE name = 'UTC' OR name ~
  '^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/' ORDER BY name`;

const KNOWN = "SELECT name FROM pg_timezone_names WHERE lower(name) = lower($1)";

/** The zones to choose from. They are PostgreSQL's: Node's list has names that some systems' databases lack. */
export async function listZones(db: Queryable): Promise<string[]> {
  return (await db.query<{ name: string }>(LIST)).map(({ name }) => name);
}

/** A zone in its own spelling, where PostgreSQL and Node both know it: one finds its days, the other reads its clocks. */
export async function knownZone(db: Queryable, name: string): Promise<string | undefined> {
  if (name === "UTC") return name;
  const [zone] = await db.query<{ name: string }>(KNOWN, [name]);
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone?.name ?? "" });
    return zone?.name;
  } catch {
    return undefined;
  }
}
