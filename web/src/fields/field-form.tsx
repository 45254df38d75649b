import { Button, Group, Modal, Select, Stack, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import type { CustomField } from "../../../src/contract/fields/fields.ts";
import { useDone } from "../changes/use-done.ts";
import { useDraft } from "../drafts/use-draft.ts";
import { useGuardedClose } from "../parts/use-guarded-close.ts";
import { fieldKeyFrom } from "../records/key-from.ts";
import { TYPE_WORDS } from "../words/type-words.ts";
import { useWords } from "../words/use-words.ts";
import { FieldRefused } from "./field-refused.tsx";
import { OWN_TYPES } from "./field-words.ts";
import { FORM_WORDS } from "./form-words.ts";
import { mayBeIndexed } from "./own-field.ts";
import { useChangeField } from "./use-change-fields.ts";

const KEY = /^[a-z][a-z0-9_]{0,59}$/;

interface TypedField extends Pick<CustomField, "label" | "type" | "timeline" | "indexed"> {
  ownKey: string | null;
  options: readonly string[];
  description: string;
}

/** The name of the draft of a field, or of a new one. */
export const fieldDraft = (key = ""): string => `field/${key}`;

/** The form of a new or existing field. */
export function FieldForm(form: { fields: readonly CustomField[]; field?: CustomField; onClose(): void }) {
  const { fields, field, onClose } = form;
  const words = useWords(FORM_WORDS);
  const types = useWords(TYPE_WORDS);
  const change = useChangeField();
  const done = useDone();
  const [typed, setTyped, { isUnsaved, drop }] = useDraft<TypedField>(fieldDraft(field?.key), {
    label: field?.label ?? "",
    ownKey: null,
    type: field?.type ?? "text",
    options: field?.options ?? [],
    description: field?.description ?? "",
    timeline: field?.timeline ?? true,
    indexed: field?.indexed ?? false,
  });
  const { label, ownKey, type, options, description, timeline, indexed } = typed;
  const set = (to: Partial<TypedField>) => setTyped((now) => ({ ...now, ...to }));
  const close = () => {
    drop();
    onClose();
  };
  const leave = useGuardedClose(isUnsaved, close);
  const taken = new Set(fields.map((each) => `custom.${each.key}`));
  const key = field?.key ?? ownKey ?? (label.trim() === "" ? "" : fieldKeyFrom(label, taken));
  const keyFault = keyFaultOf(key, field === undefined && taken.has(`custom.${key}`));
  const ready =
    label.trim() !== "" && key !== "" && keyFault === undefined && (type !== "enum" || options.length > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    const patch = {
      label: label.trim(),
      type,
      options: type === "enum" ? [...options] : [],
      description: description.trim() === "" ? null : description.trim(),
      timeline,
      indexed: indexed && mayBeIndexed(type),
    };
    const last = Math.max(0, ...fields.map(({ position }) => position));
    change.mutate(field === undefined ? { create: { ...patch, key, position: last } } : { key, patch }, {
      onSuccess(saved) {
        done(field === undefined ? words.created : words.saved, saved.change);
        close();
      },
    });
  };
  return (
    <Modal
      opened
      onClose={leave}
      title={field === undefined ? words.create : words.change(field.label.slice(0, 60))}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={words.label}
            placeholder={words.labelHint}
            value={label}
            maxLength={200}
            data-autofocus
            onChange={(event) => set({ label: event.currentTarget.value })}
          />
          <TextInput
            label={words.key}
            description={field === undefined ? words.keyWhat : words.keyKept}
            value={key}
            maxLength={60}
            disabled={field !== undefined}
            error={keyFault === undefined ? undefined : words[keyFault]}
            onChange={(event) => set({ ownKey: event.currentTarget.value })}
          />
          <Select
            label={words.type}
            description={field === undefined ? undefined : words.typeWhat}
            data={OWN_TYPES.map((value) => ({ value, label: types[value] ?? value }))}
            value={type}
            allowDeselect={false}
            onChange={(value) => value !== null && set({ type: value })}
          />
          {type === "enum" && (
            <TagsInput
              label={words.options}
              description={words.optionsWhat}
              value={[...options]}
              onChange={(next) => set({ options: next.map((option) => option.trim()).filter(Boolean) })}
              maxTags={200}
              acceptValueOnBlur
            />
          )}
          <Textarea
            label={words.description}
            description={words.descriptionWhat}
            value={description}
            maxLength={1_000}
            autosize
            minRows={2}
            maxRows={6}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <Switch
            label={words.timeline}
            description={words.timelineWhat}
            checked={timeline}
            onChange={(event) => set({ timeline: event.currentTarget.checked })}
          />
          {mayBeIndexed(type) && (
            <Switch
              label={words.indexed}
              description={words.indexedWhat}
              checked={indexed}
              onChange={(event) => set({ indexed: event.currentTarget.checked })}
            />
          )}
          {change.error !== null && <FieldRefused error={change.error} />}
          <Group justify="flex-end" mt="sm">
            <Button variant="default" onClick={close}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={change.isPending} disabled={!ready}>
              {field === undefined ? words.add : words.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function keyFaultOf(key: string, taken: boolean): "keyTaken" | "keyBad" | undefined {
  if (key === "") return undefined;
  if (taken) return "keyTaken";
  return KEY.test(key) ? undefined : "keyBad";
}
