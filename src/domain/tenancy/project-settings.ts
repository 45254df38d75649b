import { isSupportedCountry } from "libphonenumber-js";
import { isRole, ROLES, type Role } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Queryable } from "../../db/pool/database.ts";

const LIST = `SELECT name FROM pg_timezone_names WHERE name = 'UTC' OR name ~
  '^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/' ORDER BY name`;

const KNOWN = "SELECT name FROM pg_timezone_names WHERE lower(name) = lower($1)";

/** The time zones that a project can choose: PostgreSQL's, because Node knows names that some databases lack. */
export async function listZones(db: Queryable): Promise<string[]> {
  return (await db.query<{ name: string }>(LIST)).map(({ name }) => name);
}

/**
 * Returns the zone's official spelling if PostgreSQL and Node both know it. PostgreSQL computes days, Node reads
 * times.
 */
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

/** A project's defaults for values that do not say it themselves. */
export interface Place {
  /** An IANA name; the project's days are days of this zone. */
  timezone: string;
  /** The country of phone numbers without a country code (ISO 3166-1). */
  country: string | null;
  /** The currency of values without one (ISO 4217). */
  currency: string | null;
}

export interface ProjectSettings extends Place {
  name: string;
}

/** The defaults of a project that has not set any. */
export const NOWHERE: Place = { timezone: "UTC", country: null, currency: null };

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

const FAULTS = {
  name: { code: "bad_project_name", message: "A project needs a name of 1 to 200 characters." },
  timezone: { code: "bad_timezone", message: "Choose a time zone from the list, such as America/Sao_Paulo." },
  country: { code: "bad_country", message: "Choose a country from the list, such as BR." },
  currency: { code: "bad_currency", message: "Choose a currency from the list, such as BRL." },
};

/**
 * Returns the settings as they are stored: name trimmed, zone and codes in their official spelling, empty codes
 * null. Refuses (`malformed`) with one fault at `$.<setting>` for each invalid setting.
 */
export async function checkSettings(db: Queryable, wish: ProjectSettings): Promise<ProjectSettings> {
  const name = wish.name.trim();
  const timezone = (await knownZone(db, wish.timezone.trim())) ?? "";
  const [country, currency] = [codeOf(wish.country), codeOf(wish.currency)];
  const wrong = {
    name: name === "" || name.length > 200,
    timezone: timezone === "",
    country: country !== null && !isSupportedCountry(country),
    currency: currency !== null && !CURRENCIES.has(currency),
  };
  const faults = Object.entries(FAULTS)
    .filter(([setting]) => wrong[setting as keyof ProjectSettings])
    .map(([setting, fault]) => ({ path: `$.${setting}`, ...fault }));
  const [first] = faults;
  if (first === undefined) return { name, timezone, country, currency };
  const message = faults.map((fault) => fault.message).join(" ");
  throw new Refusal("malformed", first.code, message, { faults });
}

const codeOf = (text: string | null): string | null => (text ?? "").trim().toUpperCase() || null;

/** Returns these roles in their usual order, with the owner's, who may always connect applications (`bad_role`). */
export function connectRolesOf(names: readonly string[]): Role[] {
  if (!names.every(isRole)) {
    throw new Refusal("malformed", "bad_role", "Choose one of the roles in the list.");
  }
  return ROLES.filter((role) => role === "owner" || names.includes(role));
}
