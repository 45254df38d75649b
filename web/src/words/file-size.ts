import type { Locale } from "./use-words.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** Returns the size of a file for reading: `1.2 MB`. */
export function sizeIn(locale: Locale, bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < UNITS.length - 1) [size, unit] = [size / 1_000, unit + 1];
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[unit] ?? "byte",
    unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: unit === 0 ? 0 : 1,
  }).format(size);
}
