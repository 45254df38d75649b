/** Signs and codes that only one currency has. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/R\$|\bBRL\b/i, "BRL"],
  [/US\$|\bUSD\b/i, "USD"],
  [/€|\bEUR\b/i, "EUR"],
  [/£|\bGBP\b/i, "GBP"],
  [/zł|\bPLN\b/i, "PLN"],
  [/₽|\bRUB\b|руб/i, "RUB"],
  [/¥|\bJPY\b|円/i, "JPY"],
  [/₹|\bINR\b/i, "INR"],
  [/₩|\bKRW\b|원/i, "KRW"],
  [/₺|\bTRY\b/i, "TRY"],
  [/\bCHF\b/i, "CHF"],
  [/Kč|\bCZK\b/i, "CZK"],
  [/C\$|CA\$|\bCAD\b/i, "CAD"],
  [/A\$|AU\$|\bAUD\b/i, "AUD"],
  [/\bMXN\b|MX\$/i, "MXN"],
];

/** Returns the currency whose sign or code an amount has; undefined for none, and for a sign that several currencies share, such as `$`. */
export const currencyIn = (text: string): string | undefined => SIGNS.find(([sign]) => sign.test(text))?.[1];

/** Currencies that write `$`. */
export const DOLLARS: readonly string[] = ["USD", "CAD", "AUD", "MXN", "NZD", "ARS", "CLP", "COP"];

const OF_COUNTRY: Readonly<Record<string, string>> = {
  ...{ US: "USD", CA: "CAD", AU: "AUD", NZ: "NZD", MX: "MXN", AR: "ARS", CL: "CLP", CO: "COP", BR: "BRL" },
  ...{
    GB: "GBP",
    CH: "CHF",
    PL: "PLN",
    CZ: "CZK",
    RU: "RUB",
    TR: "TRY",
    JP: "JPY",
    KR: "KRW",
    IN: "INR",
    CN: "CNY",
  },
  ...{
    DE: "EUR",
    FR: "EUR",
    IT: "EUR",
    ES: "EUR",
    PT: "EUR",
    NL: "EUR",
    BE: "EUR",
    AT: "EUR",
    IE: "EUR",
    FI: "EUR",
  },
};

/** The currency of a country, if it is a common one. */
export const currencyOfCountry = (country: string | null): string | undefined => OF_COUNTRY[country ?? ""];
