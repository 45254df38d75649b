import { isSupportedCountry } from "libphonenumber-js";
import { acceptedLanguages } from "../../core/locale.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { knownZone, NOWHERE, type Place } from "../tenancy/project-settings.ts";

/** Brazil has sixteen zones; most people live by this one. */
const BRAZIL: Place = { timezone: "America/Sao_Paulo", country: "BR", currency: "BRL" };

/**
 * Where a new project probably is, by the region of a browser's first language (Accept-Language); its zone, where the
 * region has one alone. `en-US` says nothing: browsers send it everywhere, and a wrong country misreads phones.
 */
export async function guessPlace(db: Queryable, accepted: string | undefined): Promise<Place> {
  const [language = ""] = acceptedLanguages(accepted);
  const country = /^[a-z]{2,3}-([a-z]{2})$/.exec(language)?.[1]?.toUpperCase();
  if (country === "BR") return BRAZIL;
  if (country === undefined || language === "en-us" || !isSupportedCountry(country)) return NOWHERE;
  const [zone, another] = new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
  const only = zone === undefined || another !== undefined ? undefined : await knownZone(db, zone);
  return { ...NOWHERE, country, timezone: only ?? NOWHERE.timezone };
}
