import { TextInput } from "@mantine/core";
import { useState } from "react";
import { type Locale, useLocale, useWords } from "../../words/use-words.ts";
import { PANEL_WORDS } from "../words/panel-words.ts";

/** Reads a number as people write it, `1.234,5` in Portuguese; undefined if empty, null if it is not a number. */
export function numberFrom(text: string, locale: Locale): number | null | undefined {
  const trimmed = text.replaceAll(/[\s\u00a0]/g, "");
  if (trimmed === "") return undefined;
  const plain =
    locale === "pt-BR" ? trimmed.replaceAll(".", "").replace(",", ".") : trimmed.replaceAll(",", "");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** Writes the number in the person's language, with all digits and no separators. */
export const numberText = (value: unknown, locale: Locale): string => {
  const text = typeof value === "number" ? String(value) : "";
  return locale === "pt-BR" ? text.replace(".", ",") : text;
};

/** A number input. `whole` accepts integers only, from 0 or `least` on. */
export function NumberField(field: {
  value: unknown;
  label: string;
  whole?: boolean;
  least?: number;
  width?: number | string;
  onChange(value: number | undefined): void;
}) {
  const { value, label, whole = false, least = 0, onChange } = field;
  const locale = useLocale();
  const words = useWords(PANEL_WORDS);
  const [draft, setDraft] = useState(() => numberText(value, locale));
  const read = numberFrom(draft, locale);
  const fits = (number: number) => !whole || (Number.isInteger(number) && number >= least);
  const wrong = read === null || (read !== undefined && !fits(read));
  return (
    <TextInput
      aria-label={label}
      inputMode={whole ? "numeric" : "decimal"}
      value={draft}
      w={field.width ?? "100%"}
      error={wrong ? words.badNumber : undefined}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value);
        const next = numberFrom(currentTarget.value, locale);
        onChange(next === null || (next !== undefined && !fits(next)) ? undefined : next);
      }}
    />
  );
}
