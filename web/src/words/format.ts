import { useMemo } from "react";
import { useProject } from "../session/me.ts";
import { useLocale } from "./use-words.ts";
import { type Format, formatIn } from "./written.ts";

/** The formats for the project in the URL. */
export function useFormat(): Format {
  const locale = useLocale();
  const { timezone, currency } = useProject();
  return useMemo(() => formatIn(locale, timezone, currency), [locale, timezone, currency]);
}
