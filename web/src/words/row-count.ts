import type { Words } from "./use-words.ts";

/** How many rows, in words; `more` where there are more than were counted. */
export const ROW_COUNT: Words<(written: string, more?: boolean) => string> = {
  en: (written, more = false) => `${written}${more ? "+" : ""} ${written === "1" && !more ? "row" : "rows"}`,
  "pt-BR": (written, more = false) =>
    `${written}${more ? "+" : ""} ${written === "1" && !more ? "linha" : "linhas"}`,
};
