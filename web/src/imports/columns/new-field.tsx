import { Button, Group, Modal, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ImportColumn } from "../../../../src/contract/imports/import.ts";
import { CUSTOM_FIELD_TYPES } from "../../../../src/contract/lists/column-types.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { useDone } from "../../changes/use-done.ts";
import { sentenceOf } from "../../parts/problem.tsx";
import { useGuardedClose } from "../../parts/use-guarded-close.ts";
import { fieldKeyFrom } from "../../records/key-from.ts";
import { sameValue } from "../../records/value.ts";
import { TYPE_WORDS } from "../../words/type-words.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { COLUMN_WORDS } from "./column-words.ts";
import { guessType } from "./guess-type.ts";

/** Creates a custom field for a column. */
export function NewField(form: {
  column: ImportColumn | undefined;
  taken: ReadonlySet<string>;
  onMade(field: string): void;
  onClose(): void;
}) {
  const { column, taken, onMade, onClose } = form;
  const words = useWords(COLUMN_WORDS);
  const types = useWords(TYPE_WORDS);
  const locale = useLocale();
  const { projectId, write } = useApi();
  const done = useDone();
  const queries = useQueryClient();
  const name = column?.name ?? "";
  const [label, setLabel] = useState(name);
  const [key, setKey] = useState(() => fieldKeyFrom(name, taken));
  const [type, setType] = useState(() => guessType(column));
  const [options, setOptions] = useState<string[]>(() => column?.values ?? []);
  const make = useSubmit({
    mutationFn: () =>
      write("POST", "/v1/fields", {
        body: { key, label, type, ...(type === "enum" ? { options } : {}) },
      }),
    async onSuccess({ answer: made, change }) {
      done(words.created, change);
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "fields") });
      await queries.invalidateQueries({ queryKey: keyOf(projectId, "imports") });
      onMade(`custom.${made.key}`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  const typed = { label, key, type, options };
  const [first] = useState(typed);
  const leave = useGuardedClose(!sameValue(typed, first), onClose);
  return (
    <Modal opened onClose={leave} title={words.freshFor(name.slice(0, 60))}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={words.label}
            value={label}
            maxLength={200}
            required
            data-autofocus
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          <TextInput
            label={words.key}
            description={words.keyWhat}
            value={key}
            maxLength={60}
            pattern="[a-z][a-z0-9_]*"
            required
            error={make.error === null ? undefined : sentenceOf(locale, make.error)}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Select
            label={words.type}
            data={CUSTOM_FIELD_TYPES.map((value) => ({ value, label: types[value] }))}
            value={type}
            allowDeselect={false}
            onChange={(value) => value !== null && setType(value)}
          />
          {type === "enum" && (
            <TagsInput label={words.values} value={options} onChange={setOptions} required />
          )}
          <Group justify="flex-end" mt="sm">
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={make.isPending}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
