import type { FastifyRequest } from "fastify";
import { type Locale, preferredLocale } from "../../core/locale.ts";
import type { Person } from "../../domain/accounts/people/account.ts";

/** The language to answer a page in: the one that the person chose, else the browser's. */
export const localeOf = (request: FastifyRequest, person?: Pick<Person, "locale">): Locale =>
  person?.locale ?? preferredLocale(request.headers["accept-language"]);

/** A calendar day as people of this language write it; in UTC, where nobody said which zone is theirs. */
export const dayIn = (locale: Locale, date: Date, timeZone = "UTC"): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }).format(date);

/** A day and minute with the zone's name. */
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
