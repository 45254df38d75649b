import { useCallback } from "react";
import { useFormat } from "../words/format.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { kindOf } from "./field-kind.ts";
import { useProjectSchema } from "./project-schema.ts";
import { isEmpty } from "./value.ts";

const WORDS: Words<{ yes: string; no: string; none: string; former: string }> = {
  en: { yes: "Yes", no: "No", none: "Empty", former: "Former member" },
  "pt-BR": { yes: "Sim", no: "Não", none: "Vazio", former: "Ex-membro" },
};

/**
 * Returns a function that writes a field's value for reading: `text("value", 1200)`. Values that do not fit
 * their field are written unchanged.
 */
export function useValueText(): (field: string, value: unknown, currency?: unknown) => string {
  const { fields, custom, members } = useProjectSchema();
  const words = useWords(WORDS);
  const format = useFormat();
  return useCallback(
    (name, value, currency) => {
      if (isEmpty(value)) return words.none;
      const field = fields.get(name);
      const kind = field === undefined ? "text" : kindOf(field, custom);
      if (Array.isArray(value)) return format.list(value.map(String));
      if (typeof value === "boolean") return value ? words.yes : words.no;
      if (typeof value === "number")
        return kind === "money"
          ? format.money(value, typeof currency === "string" ? currency : null)
          : format.number(value);
      if (typeof value !== "string") return JSON.stringify(value);
      if (kind === "owner") return members.find(({ id }) => id === value)?.name ?? words.former;
      if (kind === "phone") return format.phone(value);
      if ((kind === "moment" || kind === "day") && Number.isFinite(Date.parse(value)))
        return value.length === 10 ? format.day(value) : format.moment(value);
      return value;
    },
    [fields, custom, members, words, format],
  );
}
