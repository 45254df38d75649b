import { isSupportedCountry } from "libphonenumber-js";
import { acceptedLanguages } from "../../core/locale.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { knownZone, NOWHERE, type Place } from "../tenancy/project-settings.ts";

/** Brazil has sixteen time zones; most people live in this one. */
const BRAZIL: Place = { timezone: "America/Sao_Paulo", country: "BR", currency: "BRL" };

/**
 * The probable location of a new project, by the region of the browser's first language (Accept-Language), with a
 * time zone if the region has only one. `en-US` is ignored: browsers everywhere send it, and a wrong country
 * misreads phone numbers.
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
