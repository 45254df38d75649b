import { Button, Group, NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Field } from "../../../../src/contract/nouns/field.ts";
import { ApiError } from "../../api/api-error.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { againIn, mayPass, sentenceOf } from "../../parts/problem.tsx";
import { type FieldKind, kindOf } from "../../records/field-kind.ts";
import { leadValue, withValue } from "../../records/lead.ts";
import { useProject } from "../../session/me.ts";
import { type Locale, useLocale, useWords } from "../../words/use-words.ts";
import { clockIn, momentIn } from "../../words/zone-time.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { VALUE_WORDS } from "./value-words.ts";
import styles from "./values.module.css";

/** The draft of a value: what was typed, and the value and version of the lead that the person saw meanwhile. */
interface Typed {
  input: Draft;
  was: unknown;
  version: number;
}

export const factDraft = (leadId: string, field = ""): string => `fact/${leadId}/${field}`;

/**
 * Edits one value in place: Enter saves, Escape cancels. A value that is not saved stays here with its error, and as a
 * draft until it is saved or cancelled.
 */
export function ValueEditor({ field, onClose }: { field: Field; onClose(): void }) {
  const { lead, custom, save } = useLeadHere();
  const words = useWords(VALUE_WORDS);
  const locale = useLocale();
  const { timezone } = useProject();
  const kind = kindOf(field, custom);
  const was = leadValue(lead, field.name);
  const [typed, setTyped, { drop }] = useDraft<Typed>(factDraft(lead.id, field.name), {
    input: draftOf(kind, was, timezone),
    was,
    version: lead.version,
  });
  const [fault, setFault] = useState<{ error: unknown }>();
  const [saving, setSaving] = useState(false);
  const busy = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const input = form.current?.querySelector("input");
    input?.focus();
    if (input?.type === "text") input.select();
  }, []);

  const close = () => {
    drop();
    onClose();
  };
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (busy.current) return;
    busy.current = true;
    setSaving(true);
    const seen = { ...withValue(lead, field.name, typed.was), version: typed.version };
    const unsaved = await save(field.name, valueFrom(kind, typed.input, timezone), { seen });
    busy.current = false;
    setSaving(false);
    if (unsaved === undefined) return close();
    setFault(unsaved);
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  const mayTryAgain = fault !== undefined && mayPass(fault.error);
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} onKeyDown={leave} className={styles.editor}>
      <Input
        kind={kind}
        field={field}
        draft={typed.input}
        onChange={(input) => setTyped((present) => ({ ...present, input }))}
        fault={fault === undefined ? undefined : faultText(locale, fault.error)}
      />
      <Group gap="xs" mt={6}>
        <Button type="submit" size="compact-sm" loading={saving}>
          {mayTryAgain ? againIn(locale) : words.save}
        </Button>
        <Button size="compact-sm" variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </Group>
    </form>
  );
}

/** The details of a conflict are ids; its message is a sentence with them. */
const faultText = (locale: Locale, error: unknown): string =>
  (error instanceof ApiError &&
    error.status !== 409 &&
    error.details.map(({ message }) => message).join(" ")) ||
  sentenceOf(locale, error);

type Draft = string | number | readonly string[] | null;

function draftOf(kind: FieldKind, value: unknown, zone: string): Draft {
  if (kind === "list") return Array.isArray(value) ? value.map(String) : [];
  if (kind === "boolean") return value === null ? null : String(value === true);
  if (typeof value === "number") return value;
  if (typeof value !== "string") return kind === "choice" || kind === "owner" ? null : "";
  if (kind === "moment") return Number.isFinite(Date.parse(value)) ? clockIn(zone, value) : "";
  return value;
}

function valueFrom(kind: FieldKind, draft: Draft, zone: string): unknown {
  if (kind === "list") return draft;
  if (draft === null || draft === "") return null;
  if (kind === "boolean") return draft === "true";
  if (kind === "moment") return momentIn(zone, String(draft));
  return typeof draft === "string" ? draft.trim() : draft;
}

function Input(input: {
  kind: FieldKind;
  field: Field;
  draft: Draft;
  onChange(draft: Draft): void;
  fault: string | undefined;
}) {
  const { kind, field, draft, onChange, fault } = input;
  const { members, statuses } = useLeadHere();
  const locale = useLocale();
  const words = useWords(VALUE_WORDS);
  const usual = { "aria-label": field.label, error: fault, size: "sm" as const };
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
  const choices = choicesOf(kind, field, statuses, words);
  if (choices !== undefined || kind === "owner")
    return (
      <Select
        {...usual}
        data={choices ?? members.map(({ id, name }) => ({ value: id, label: name }))}
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
