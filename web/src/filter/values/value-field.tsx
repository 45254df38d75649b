import { NativeSelect, TagsInput, TextInput } from "@mantine/core";
import { useLocale, useWords } from "../../words/use-words.ts";
import { type AskField, editorFor } from "../model/operators.ts";
import { PANEL_WORDS } from "../words/panel-words.ts";
import { DayField, PairField, PeriodField, SpanField } from "./date-fields.tsx";
import { JsonField } from "./json-field.tsx";
import { NumberField, numberFrom, numberText } from "./number-field.tsx";
import { OneField, SeveralField } from "./text-fields.tsx";

interface Edited {
  field: AskField;
  op: string;
  value: unknown;
  ofLeads: boolean;
  /** The accessible name of the value. */
  label: string;
  onChange(value: unknown): void;
}

/** The editor of a condition's value, by the field's type and the operator; undefined means no value yet. */
export function ValueField(edited: Edited) {
  const { field, op, value, label, onChange } = edited;
  const shared = { value, label, onChange };
  switch (editorFor(field.type, op, value)) {
    case "none":
      return null;
    case "number":
      return <NumberField {...shared} />;
    case "numbers":
      return <NumbersField {...shared} />;
    case "range":
      return <PairField {...shared} of="number" />;
    case "day":
      return <DayField {...shared} />;
    case "days":
      return <PairField {...shared} of="day" />;
    case "span":
      return <SpanField {...shared} />;
    case "period":
      return <PeriodField {...shared} />;
    case "boolean":
      return <BooleanField {...shared} />;
    case "one":
      return <OneField {...edited} />;
    case "several":
      return <SeveralField {...edited} />;
    case "json":
      return <JsonField {...shared} />;
    case "text":
      return (
        <TextInput
          aria-label={label}
          value={typeof value === "string" ? value : ""}
          maxLength={1_000}
          flex={1}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      );
  }
}

interface Plain {
  value: unknown;
  label: string;
  onChange(value: unknown): void;
}

function BooleanField({ value, label, onChange }: Plain) {
  const words = useWords(PANEL_WORDS);
  return (
    <NativeSelect
      aria-label={label}
      value={String(value ?? true)}
      flex={1}
      data={[
        { value: "true", label: words.yes },
        { value: "false", label: words.no },
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "true")}
    />
  );
}

function NumbersField({ value, label, onChange }: Plain) {
  const words = useWords(PANEL_WORDS);
  const locale = useLocale();
  const shown = Array.isArray(value) ? value.map((each) => numberText(each, locale)) : [];
  return (
    <TagsInput
      aria-label={label}
      value={shown}
      placeholder={shown.length === 0 ? words.typeValues : ""}
      splitChars={[";", " "]}
      acceptValueOnBlur
      flex={1}
      onChange={(next) => {
        const numbers = next.flatMap((text) => numberFrom(text, locale) ?? []);
        onChange(numbers.length === 0 ? undefined : [...new Set(numbers)]);
      }}
    />
  );
}
