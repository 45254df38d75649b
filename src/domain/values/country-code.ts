import { getCountries } from "libphonenumber-js";
import { folded } from "../../core/folded.ts";

/** The languages in which names of countries are known. */
const LANGUAGES = [
  "en",
  "pt",
  "es",
  "de",
  "fr",
  "it",
  "nl",
  "pl",
  "cs",
  "tr",
  "ru",
  "ja",
  "ko",
  "zh-Hans",
  "zh-Hant",
];

/** Names that people write and no list of languages has. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{
    uk: "GB",
    "great britain": "GB",
    england: "GB",
    usa: "US",
    "u.s.a.": "US",
    "u.s.": "US",
    "united states of america": "US",
  },
  ...{
    "estados unidos da america": "US",
    eua: "US",
    eeuu: "US",
    "ee. uu.": "US",
    "czech republic": "CZ",
    holland: "NL",
  },
  ...{
    brd: "DE",
    holanda: "NL",
    inglaterra: "GB",
    "south korea": "KR",
    russia: "RU",
    turkey: "TR",
    vietnam: "VN",
  },
};

let names: ReadonlyMap<string, string> | undefined;

function read(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const language of LANGUAGES) {
    const of = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of getCountries()) {
      const name = of.of(code);
      if (name !== undefined && !found.has(folded(name))) found.set(folded(name), code);
    }
  }
  for (const [name, code] of Object.entries(OTHER_NAMES)) found.set(name, code);
  return found;
}

/** Returns the code (ISO 3166-1 alpha-2) of a country that is written by its name in a common language; undefined if it is not known. */
export function countryCode(name: string): string | undefined {
  names ??= read();
  return names.get(folded(name));
}
