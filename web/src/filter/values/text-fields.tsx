import { Autocomplete, MultiSelect, Select, TagsInput } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../words/use-words.ts";
import type { AskField } from "../model/operators.ts";
import { PANEL_WORDS } from "../words/panel-words.ts";
import styles from "./text-fields.module.css";
import { useFrequentValues } from "./use-frequent-values.ts";

interface Edited {
  field: AskField;
  op: string;
  value: unknown;
  label: string;
  /** Whether the field is one of leads, whose frequent values can be requested. */
  ofLeads: boolean;
  onChange(value: unknown): void;
}

/** Fields whose values are mostly unique, so that frequent values are of no use. */
const OWN = new Set([
  "id",
  "external_id",
  "email",
  "emails",
  "phone",
  "phones",
  "phone_e164",
  "name",
  "domain_in",
]);

/** The options, plus chosen values that are no longer among them. */
const withChosen = (options: readonly string[], chosen: readonly string[]): string[] => [
  ...new Set([...options, ...chosen]),
];

function useSuggestions({ field, op, ofLeads }: Edited): { values: readonly string[]; look(): void } {
  const [looked, setLooked] = useState(false);
  const worth = ofLeads && !OWN.has(field.name) && !OWN.has(op);
  return { values: useFrequentValues(field.name, worth && looked), look: () => setLooked(true) };
}

/** One value: from the options if the field has some, otherwise text with the most frequent values as suggestions. */
export function OneField(edited: Edited) {
  const { field, value, label, onChange } = edited;
  const { values, look } = useSuggestions(edited);
  const text = typeof value === "string" ? value : "";
  if (field.options !== null) {
    const data = withChosen(field.options, text === "" ? [] : [text]);
    return (
      <Select
        aria-label={label}
        data={data}
        value={text === "" ? null : text}
        searchable
        allowDeselect={false}
        flex={1}
        onChange={(next) => onChange(next ?? undefined)}
      />
    );
  }
  return (
    <Autocomplete
      aria-label={label}
      data={[...values]}
      limit={20}
      value={text}
      flex={1}
      type={field.type === "phone" ? "tel" : "text"}
      onFocus={look}
      onChange={(next) => onChange(next === "" ? undefined : next)}
    />
  );
}

const FIELD = { inputField: styles.several ?? "" };

/** Several values: from a list, or text with the most frequent values to choose from. */
export function SeveralField(edited: Edited) {
  const { field, op, value, label, onChange } = edited;
  const words = useWords(PANEL_WORDS);
  const { values, look } = useSuggestions(edited);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const become = (next: string[]) => onChange(next.length === 0 ? undefined : next);
  const hint = op === "domain_in" ? words.domains : words.typeValues;
  const shared = { "aria-label": label, value: chosen, onChange: become, flex: 1, miw: 0, classNames: FIELD };
  if (field.options !== null && op !== "domain_in")
    return <MultiSelect {...shared} data={withChosen(field.options, chosen)} searchable hidePickedOptions />;
  return (
    <TagsInput
      {...shared}
      data={[...values]}
      limit={20}
      placeholder={chosen.length === 0 ? hint : ""}
      acceptValueOnBlur
      onFocus={look}
      onChange={(next) => become([...new Set(next.map((each) => each.trim()).filter((each) => each !== ""))])}
    />
  );
}
