import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { bad } from "./bad-input.ts";

/** Reads a phone number as E.164. Without a country code it belongs to the project's country. */
export function readPhone(text: string, country: string | null, path: string): string {
  const number = text.length > 60 ? undefined : parsePhoneNumberFromString(text, homeOf(country));
  if (number === undefined) {
    bad(
      path,
      "not_a_phone",
      "is not a phone number; write it with its country code, such as +55 11 91234-5678",
    );
  }
  return number.number;
}

/** A lead's phone number as E.164; null if it cannot be parsed, because the text is kept in any case. */
export function e164Of(phone: string, country: string | null): string | null {
  const number = parsePhoneNumberFromString(phone, homeOf(country));
  return number?.isPossible() === true ? number.number : null;
}

/** A phone number as custom fields store it: E.164 if that loses nothing (no extension), else verbatim. */
export function keptPhone(phone: string, country: string | null): string {
  const number = parsePhoneNumberFromString(phone, homeOf(country));
  return number?.isPossible() === true && number.ext === undefined ? number.number : phone;
}

const homeOf = (country: string | null): CountryCode | undefined =>
  country !== null && isSupportedCountry(country) ? country : undefined;
