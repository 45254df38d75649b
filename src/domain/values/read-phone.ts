import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js";
import { bad } from "./bad-input.ts";

/** Reads a phone number as E.164. Without a country code it belongs to the project's country. */
export function readPhone(text: string, country: string | null, path: string): string {
  const number = text.length > 60 ? undefined : parsed(text, country);
  if (number === undefined) {
    bad(
      path,
      "not_a_phone",
      "is not a phone number; write it with its country code, such as +55 11 91234-5678",
    );
  }
  return number.number;
}

/** A lead's phone number as E.164; null if no country has such a number, because the text is kept in any case. */
export function e164Of(phone: string, country: string | null): string | null {
  const number = parsed(phone, country);
  return number?.isPossible() === true ? number.number : null;
}

/** A phone number as custom fields store it: E.164 if that loses nothing (no extension), else verbatim. */
export function keptPhone(phone: string, country: string | null): string {
  const number = parsed(phone, country);
  return number?.isPossible() === true && number.ext === undefined ? number.number : phone;
}

/** The digits of an international number in two parts. */
interface International {
  countryCode: string;
  national: string;
}

/** The parts of a possible international number (`+…`, `00…`); undefined for others. */
export function internationalOf(text: string): International | undefined {
  const number = parsed(text, null);
  return number?.isPossible() === true ? partsOf(number) : undefined;
}

/** The parts of digits that may be an international number without its `+`, and the countries that have its code. */
export function guessedOf(digits: string): (International & { countries: string[] }) | undefined {
  const number = parsed(`+${digits}`, null);
  if (number?.isValid() !== true) return undefined;
  const countries = getCountries().filter(
    (each) => getCountryCallingCode(each) === number.countryCallingCode,
  );
  return { ...partsOf(number), countries };
}

const partsOf = ({
  countryCallingCode: countryCode,
  nationalNumber: national,
}: PhoneNumber): International => ({
  countryCode,
  national,
});

/** The prefix of international calls in most countries, after which people write a country code. */
const ABROAD = /^([^\p{N}+]*)[0\uff10\u0660\u06f0]{2}/u;
/** Mexico's mobile numbers were written with a 1 after the country code until 2019. */
const OLD_MEXICAN = /^\+521(\d{10})$/;

/**
 * Reads a number. "00" is the international prefix, and so are the prefixes of the country itself, such as 011. In
 * Brazil that is 00 and the code of a carrier, by which 0055 11… would be American: where both readings are
 * possible, the number of the country itself wins, then the one that is in use.
 */
function parsed(text: string, country: string | null): PhoneNumber | undefined {
  const home = country !== null && isSupportedCountry(country) ? country : undefined;
  const abroad = ABROAD.test(text) ? plain(text.replace(ABROAD, "$1+"), undefined) : undefined;
  const own = plain(text, home);
  if (abroad?.isPossible() !== true) return own;
  if (own?.isPossible() !== true || isOf(home, abroad)) return abroad;
  return own.isValid() && (isOf(home, own) || !abroad.isValid()) ? own : abroad;
}

const isOf = (home: CountryCode | undefined, { countryCallingCode }: PhoneNumber): boolean =>
  home !== undefined && countryCallingCode === getCountryCallingCode(home);

function plain(text: string, home: CountryCode | undefined): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(text, home);
  const [, local] = OLD_MEXICAN.exec(number?.number ?? "") ?? [];
  return local === undefined ? number : parsePhoneNumberFromString(`+52${local}${extensionOf(number)}`);
}

const extensionOf = (number: PhoneNumber | undefined): string =>
  number?.ext === undefined ? "" : ` ext. ${number.ext}`;
