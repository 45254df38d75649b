import { NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import type { Field } from "../../../src/contract/fields/fields.ts";
import { useLocale, useWords, type Words } from "../words/use-words.ts";
import { clockIn, momentIn } from "../words/zone-time.ts";
import type { FieldKind } from "./field-kind.ts";

/** What an editor holds while a value is typed. */
export type ValueDraft = string | number | readonly string[] | null;

const WORDS: Words<Record<"listHint" | "yes" | "no" | "nobody" | "none", string>> = {
  en: { listHint: "Press Enter to add", yes: "Yes", no: "No", nobody: "Nobody", none: "Empty" },
  "pt-BR": {
    listHint: "Tecle Enter para adicionar",
    yes: "Sim",
    no: "Não",
    nobody: "Ninguém",
    none: "Vazio",
  },
};

/** A value as its editor takes it. */
export function draftOf(kind: FieldKind, value: unknown, zone: string): ValueDraft {
  if (kind === "list") return Array.isArray(value) ? value.map(String) : [];
  if (kind === "boolean") return value === null ? null : String(value === true);
  if (typeof value === "number") return value;
  if (typeof value !== "string") return kind === "choice" || kind === "owner" ? null : "";
  if (kind === "moment") return Number.isFinite(Date.parse(value)) ? clockIn(zone, value) : "";
  return value;
}

/** What an editor holds as the API takes it; null if it is empty. */
export function valueFrom(kind: FieldKind, draft: ValueDraft, zone: string): unknown {
  if (kind === "list") return draft;
  if (draft === null || draft === "") return null;
  if (kind === "boolean") return draft === "true";
  if (kind === "moment") return momentIn(zone, String(draft));
  return typeof draft === "string" ? draft.trim() : draft;
}

/** The editor of a field's value. */
export function ValueInput(input: {
  kind: FieldKind;
  field: Field;
  draft: ValueDraft;
  onChange(draft: ValueDraft): void;
  fault: string | undefined;
  /** What a status or an owner can be. */
  known: { statuses: readonly string[]; members: readonly { id: string; name: string }[] };
  /** Whether the label is shown above it, as in a dialog. */
  labelled?: boolean;
  disabled?: boolean;
}) {
  const { kind, field, draft, onChange, fault, known } = input;
  const locale = useLocale();
  const words = useWords(WORDS);
  const name = input.labelled === true ? { label: field.label } : { "aria-label": field.label };
  const usual = { ...name, error: fault, size: "sm", disabled: input.disabled === true } as const;
  if (kind === "list")
    return (
      <TagsInput
        {...usual}
        description={words.listHint}
        value={Array.isArray(draft) ? [...draft] : []}
        onChange={onChange}
        acceptValueOnBlur
      />
    );
  if (kind === "number" || kind === "integer" || kind === "money")
    return (
      <NumberInput
        {...usual}
        value={typeof draft === "number" ? draft : ""}
        onChange={(value) => onChange(value)}
        decimalSeparator={locale === "pt-BR" ? "," : "."}
        allowedDecimalSeparators={[",", "."]}
        allowDecimal={kind !== "integer"}
        hideControls
      />
    );
  const choices = choicesOf(kind, field, known.statuses, words);
  if (choices !== undefined || kind === "owner")
    return (
      <Select
        {...usual}
        data={choices ?? known.members.map(({ id, name }) => ({ value: id, label: name }))}
        value={typeof draft === "string" ? draft : null}
        onChange={onChange}
        clearable={!field.required}
        searchable={kind !== "boolean"}
        placeholder={kind === "owner" ? words.nobody : words.none}
      />
    );
  return (
    <TextInput
      {...usual}
      type={kind === "day" ? "date" : kind === "moment" ? "datetime-local" : "text"}
      inputMode={kind === "email" ? "email" : kind === "phone" ? "tel" : kind === "url" ? "url" : "text"}
      value={typeof draft === "string" ? draft : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      dir="auto"
    />
  );
}

function choicesOf(
  kind: FieldKind,
  field: Field,
  statuses: readonly string[],
  words: { yes: string; no: string },
) {
  if (kind === "boolean")
    return [
      { value: "true", label: words.yes },
      { value: "false", label: words.no },
    ];
  if (kind !== "choice") return undefined;
  return [...(field.name === "status" ? statuses : (field.options ?? []))];
}
