import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { bad } from "./bad-input.ts";

/** A phone number as E.164; without its country code it is one of the project's country. */
export function readPhone(text: string, country: string | null, path: string): string {
  const home: CountryCode | undefined = country !== null && isSupportedCountry(country) ? country : undefined;
  const number = text.length > 60 ? undefined : parsePhoneNumberFromString(text, home);
  if (number === undefined) {
    bad(
      path,
      "not_a_phone",
      "is not a phone number; write it with its country code, such as +55 11 91234-5678",
    );
  }
  return number.number;
}
