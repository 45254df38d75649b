import { Button, Group, Modal, Select, Stack, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { CustomField } from "../../../src/contract/nouns/field.ts";
import { done } from "../parts/toast.ts";
import { fieldKeyFrom } from "../records/key-from.ts";
import { TYPE_WORDS } from "../words/type-words.ts";
import { useWords } from "../words/use-words.ts";
import { FieldRefused } from "./field-refused.tsx";
import { OWN_TYPES } from "./field-words.ts";
import { FORM_WORDS } from "./form-words.ts";
import { mayBeIndexed } from "./own-field.ts";
import { useChangeField } from "./use-change-fields.ts";

const KEY = /^[a-z][a-z0-9_]{0,59}$/;

/** The form of a new or existing field. */
export function FieldForm(form: { fields: readonly CustomField[]; field?: CustomField; onClose(): void }) {
  const { fields, field, onClose } = form;
  const words = useWords(FORM_WORDS);
  const types = useWords(TYPE_WORDS);
  const change = useChangeField();
  const [label, setLabel] = useState(field?.label ?? "");
  const [ownKey, setKey] = useState<string>();
  const [type, setType] = useState(field?.type ?? "text");
  const [options, setOptions] = useState<string[]>(field?.options ?? []);
  const [description, setDescription] = useState(field?.description ?? "");
  const [timeline, setTimeline] = useState(field?.timeline ?? true);
  const [indexed, setIndexed] = useState(field?.indexed ?? false);
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
      options: type === "enum" ? options : [],
      description: description.trim() === "" ? null : description.trim(),
      timeline,
      indexed: indexed && mayBeIndexed(type),
    };
    const last = Math.max(0, ...fields.map(({ position }) => position));
    change.mutate(field === undefined ? { create: { ...patch, key, position: last } } : { key, patch }, {
      onSuccess() {
        done(field === undefined ? words.created : words.saved);
        onClose();
      },
    });
  };
  return (
    <Modal
      opened
      onClose={onClose}
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
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          <TextInput
            label={words.key}
            description={field === undefined ? words.keyWhat : words.keyKept}
            value={key}
            maxLength={60}
            disabled={field !== undefined}
            error={keyFault === undefined ? undefined : words[keyFault]}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Select
            label={words.type}
            description={field === undefined ? undefined : words.typeWhat}
            data={OWN_TYPES.map((value) => ({ value, label: types[value] ?? value }))}
            value={type}
            allowDeselect={false}
            onChange={(value) => value !== null && setType(value)}
          />
          {type === "enum" && (
            <TagsInput
              label={words.options}
              description={words.optionsWhat}
              value={options}
              onChange={(next) => setOptions(next.map((option) => option.trim()).filter(Boolean))}
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
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Switch
            label={words.timeline}
            description={words.timelineWhat}
            checked={timeline}
            onChange={(event) => setTimeline(event.currentTarget.checked)}
          />
          {mayBeIndexed(type) && (
            <Switch
              label={words.indexed}
              description={words.indexedWhat}
              checked={indexed}
              onChange={(event) => setIndexed(event.currentTarget.checked)}
            />
          )}
          {change.error !== null && <FieldRefused error={change.error} />}
          <Group justify="flex-end" mt="sm">
            <Button variant="default" onClick={onClose}>
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
