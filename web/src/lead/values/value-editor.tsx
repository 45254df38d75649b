import { Button, Group } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Field } from "../../../../src/contract/fields/fields.ts";
import { ApiError } from "../../api/api-error.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { authorOf } from "../../live/authors.ts";
import { againIn, mayPass, sentenceOf } from "../../parts/problem.tsx";
import { kindOf } from "../../records/field-kind.ts";
import { leadValue, withValue } from "../../records/lead.ts";
import { TheirsNotice } from "../../records/theirs-notice.tsx";
import { sameValue } from "../../records/value.ts";
import { draftOf, type ValueDraft, ValueInput, valueFrom } from "../../records/value-input.tsx";
import { useValueText } from "../../records/value-text.ts";
import { useProject } from "../../session/me.ts";
import { type Locale, useLocale, useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { VALUE_WORDS } from "./value-words.ts";
import styles from "./values.module.css";

/** The draft of a value: what was typed, and the value and version of the lead that the person saw meanwhile. */
interface Typed {
  input: ValueDraft;
  was: unknown;
  version: number;
}

export const factDraft = (leadId: string, field = ""): string => `fact/${leadId}/${field}`;

/**
 * Edits one value in place: Enter saves, Escape cancels. A value that is not saved stays here with its error, and as a
 * draft until it is saved or cancelled.
 */
export function ValueEditor({ field, onClose }: { field: Field; onClose(): void }) {
  const here = useLeadHere();
  const { lead, custom, save } = here;
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
  const [saving, setSaving] = useState(false);
  const textOf = useValueText();
  const isTouched = !sameValue(typed.input, draftOf(kind, typed.was, timezone));
  const isTheirs = sameValue(typed.input, draftOf(kind, was, timezone));
  const isOther = !sameValue(was, typed.was);
  // before anything is typed, the editor follows
  const follows = isOther && !saving && (isTheirs || !isTouched);
  const isConflict = isOther && !saving && !follows;
  useEffect(() => {
    if (follows) setTyped({ input: draftOf(kind, was, timezone), was, version: lead.version });
  }, [follows, setTyped, kind, was, timezone, lead.version]);
  const [fault, setFault] = useState<{ error: unknown }>();
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
      <ValueInput
        known={here}
        kind={kind}
        field={field}
        draft={typed.input}
        onChange={(input) => setTyped((present) => ({ ...present, input }))}
        fault={fault === undefined ? undefined : faultText(locale, fault.error)}
      />
      {isConflict && (
        <TheirsNotice
          who={authorOf(lead.id, field.name)}
          value={textOf(field.name, was, lead.currency)}
          onTheirs={close}
          onMine={() => setTyped((present) => ({ ...present, was, version: lead.version }))}
        />
      )}
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
