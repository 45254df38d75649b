import { isEmpty } from "../../records/value.ts";
import { useLocale, type Words } from "../../words/use-words.ts";
import type { Format } from "../../words/written.ts";
import { useView } from "../host/view-context.ts";
import { fieldKind } from "./labels.ts";

const WORDS: Words<Record<"yes" | "no" | "none", string>> = {
  en: { yes: "Yes", no: "No", none: "Empty" },
  "pt-BR": { yes: "Sim", no: "Não", none: "Vazio" },
};

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:\d\d|Z)$/;

/** Whether a value is written as a number, and so stands on the right of a column. */
export const isNumber = (value: unknown): value is number => typeof value === "number";

/** Returns a function that writes a field's value for reading: `text("value", 1200, "BRL")`. */
export function useValueText(): (field: string, value: unknown, currency?: unknown) => string {
  const words = WORDS[useLocale()];
  const { format } = useView();
  return (field, value, currency) => {
    if (isEmpty(value)) return words.none;
    if (Array.isArray(value)) return format.list(value.map(String));
    if (typeof value === "boolean") return value ? words.yes : words.no;
    if (isNumber(value))
      return fieldKind(field) === "money"
        ? format.money(value, typeof currency === "string" ? currency : null)
        : format.number(value);
    return typeof value === "string" ? textOf(format, value) : JSON.stringify(value);
  };
}

/** A text; one that is a day or a timestamp, in the person's language and time zone. */
function textOf(format: Format, value: string): string {
  if (!(DAY.test(value) || MOMENT.test(value)) || Number.isNaN(Date.parse(value))) return format.phone(value);
  return DAY.test(value) ? format.day(value) : format.moment(value);
}
