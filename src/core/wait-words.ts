import type { Locale } from "./locale.ts";

/** A wait in words, rounded up: `in 40 seconds`, `em 12 minutos`, `in 8 hours`. */
export function waitIn(locale: Locale, seconds: number): string {
  const words = new Intl.RelativeTimeFormat(locale);
  if (seconds < 90) return words.format(seconds, "second");
  if (seconds < 90 * 60) return words.format(Math.ceil(seconds / 60), "minute");
  return words.format(Math.ceil(seconds / 3_600), "hour");
}
