import type { Locale } from "../../words/use-words.ts";
import { isBlank } from "./dataset.ts";

/** Returns a cell as spreadsheets in the user's language expect it, quoted where necessary. */
export function clipboardText(value: unknown, locale: Locale): string {
  if (isBlank(value)) return "";
  if (typeof value === "number") return locale === "pt-BR" ? String(value).replace(".", ",") : String(value);
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
