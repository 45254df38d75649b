export const LOCALES = ["en", "pt-BR"] as const;

/** A language that our pages and mails speak (BCP 47). */
export type Locale = (typeof LOCALES)[number];

export const isLocale = (text: string): text is Locale => (LOCALES as readonly string[]).includes(text);

/** The same words in every language; the compiler misses none. */
export type Words<W> = Readonly<Record<Locale, W>>;

/** The language of ours that comes first in an Accept-Language header (RFC 9110 12.5.4); English where none does. */
export function preferredLocale(accepted: string | undefined): Locale {
  const wishes = (accepted ?? "").split(",").map((part) => {
    const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
    const weight = parameters
      .map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1])
      .find((q) => q !== undefined);
    return { language: tag.split("-")[0], weight: Number(weight ?? 1) };
  });
  const ours = wishes.filter(
    ({ language, weight }) => weight > 0 && (language === "pt" || language === "en"),
  );
  const [first] = ours.sort((a, b) => b.weight - a.weight);
  return first?.language === "pt" ? "pt-BR" : "en";
}
