import type { FastifyRequest } from "fastify";
import { type Locale, preferredLocale } from "../../core/locale.ts";
import type { Person } from "../../domain/accounts/people/account.ts";

/** Returns the language for a page: the person's, otherwise the browser's. */
export const localeOf = (request: FastifyRequest, person?: Pick<Person, "locale">): Locale =>
  person?.locale ?? preferredLocale(request.headers["accept-language"]);

/** Returns a date in the format of the language; in UTC if no time zone is known. */
export const dayIn = (locale: Locale, date: Date, timeZone = "UTC"): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }).format(date);

/** Returns a date and minute with the name of the time zone. */
export const momentIn = (locale: Locale, date: Date, timeZone = "UTC"): string =>
  new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
    timeZoneName: "short",
  }).format(date);
