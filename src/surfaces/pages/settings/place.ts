import { getCountries } from "libphonenumber-js";
import type { Locale } from "../../../core/locale.ts";
import type { Place } from "../../../domain/tenancy/project-settings.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { PROJECT_WORDS } from "./words.ts";

/** A code with its localized name. */
interface Choice {
  code: string;
  name: string;
}

/** Returns the countries whose phone numbers are supported, by name. */
export function countries(locale: Locale): Choice[] {
  const { compare } = new Intl.Collator(locale);
  return named(getCountries(), "region", locale).sort((a, b) => compare(a.name, b.name));
}

/** Returns the currencies of ISO 4217, by code. */
export const currencies = (locale: Locale): Choice[] =>
  named(Intl.supportedValuesOf("currency"), "currency", locale).map(({ code, name }) => ({
    code,
    name: `${code} · ${name}`,
  }));

function named(codes: readonly string[], type: "region" | "currency", locale: Locale): Choice[] {
  const names = new Intl.DisplayNames(locale, { type });
  return codes.map((code) => ({ code, name: names.of(code) ?? code }));
}

/** Returns a project's time zone, country and currency as terms of a description list. */
export function placeDetails(locale: Locale, { timezone, country, currency }: Place): Html {
  const words = PROJECT_WORDS[locale];
  const nameOf = (choices: Choice[], wanted: string) =>
    choices.find(({ code }) => code === wanted)?.name ?? wanted;
  return html`<dt>${words.zone}</dt><dd>${timezone}</dd>
<dt>${words.country}</dt><dd>${country === null ? words.noCountry : nameOf(countries(locale), country)}</dd>
<dt>${words.currency}</dt><dd>${currency === null ? words.noCurrency : nameOf(currencies(locale), currency)}</dd>`;
}
