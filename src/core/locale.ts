export const LOCALES = ["en", "pt-BR"] as const;

/** A language of the pages, the panel and the mails (BCP 47). */
export type Locale = (typeof LOCALES)[number];

export const isLocale = (text: string): text is Locale => (LOCALES as readonly string[]).includes(text);

/** Texts in every language; the compiler requires all of them. */
export type Words<W> = Readonly<Record<Locale, W>>;

/** Returns the languages of an Accept-Language header (RFC 9110 12.5.4) in lowercase, most preferred first. */
export function acceptedLanguages(accepted: string | undefined): string[] {
  const wishes = (accepted ?? "").split(",").map((part) => {
    const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
    const weight = parameters
      .map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1])
      .find((q) => q !== undefined);
    return { tag, weight: Number(weight ?? 1) };
  });
  return wishes
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** Returns the supported language that an Accept-Language header prefers; English if there is none. */
export function preferredLocale(accepted: string | undefined): Locale {
  const languages = acceptedLanguages(accepted).map((tag) => tag.split("-")[0]);
  return languages.find((language) => language === "pt" || language === "en") === "pt" ? "pt-BR" : "en";
}
