import type { Words } from "./use-words.ts";

/** The number of rows in words; `more` if there are more than were counted. */
export const ROW_COUNT: Words<(written: string, more?: boolean) => string> = {
  en: (written, more = false) => `${written}${more ? "+" : ""} ${written === "1" && !more ? "row" : "rows"}`,
  "pt-BR": (written, more = false) =>
    `${written}${more ? "+" : ""} ${written === "1" && !more ? "linha" : "linhas"}`,
};
