import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import type { Locale } from "../../words/use-words.ts";
import { type Format, formatIn } from "../../words/written.ts";

/** The language of our words, and how values are written. */
export interface Language {
  locale: Locale;
  /** The language and region that dates and numbers are written in (BCP 47). */
  tag: string;
  format: Format;
}

/** Returns the host's language and time zone, or the browser's. Words are ours: Portuguese, else English. */
export function languageOf({ locale: given, timeZone }: McpUiHostContext): Language {
  const asked = given ?? navigator.language;
  const locale = /^pt\b/i.test(asked) ? "pt-BR" : "en";
  // Dates and numbers as in the host's region, as long as they are in the language of the words.
  const tag = isIn(asked, locale) ? asked : locale;
  return { locale, tag, format: formatIn(tag, isZone(timeZone) ? timeZone : undefined, null) };
}

const isIn = (tag: string, locale: Locale): boolean => {
  try {
    return new Intl.Locale(tag).language === locale.slice(0, 2);
  } catch {
    return false;
  }
};

function isZone(timeZone: string | undefined): timeZone is string {
  try {
    return timeZone !== undefined && new Intl.DateTimeFormat("en", { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
