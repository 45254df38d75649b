import { useCallback } from "react";
import type { Column } from "../../../../src/contract/datasets/dataset.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { isBlank } from "./dataset.ts";
import { ROW_WORDS } from "./row-words.ts";

/** Longer values are cut in tables. */
const LONGEST = 300;

/** Returns a function that formats a cell on one line; empty for no value. */
export function useCellText(): (column: Pick<Column, "type">, value: unknown) => string {
  const { number, day, moment, phone } = useFormat();
  const words = useWords(ROW_WORDS);
  return useCallback(
    ({ type }, value) => {
      if (isBlank(value)) return "";
      if (typeof value === "boolean") return value ? words.yes : words.no;
      if (typeof value === "number" && type !== "json") return number(value);
      if (typeof value === "object" || type === "json") return cut(JSON.stringify(value));
      const text = String(value);
      if (type === "phone") return phone(text);
      if (type === "date" && Number.isFinite(Date.parse(text))) return day(text);
      if (type === "datetime" && Number.isFinite(Date.parse(text))) return moment(text);
      return cut(text);
    },
    [number, day, moment, phone, words],
  );
}

const cut = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
