import { Button, Group, Modal, Select, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { COLUMN_TYPES } from "../../../../src/contract/lists/column-types.ts";
import { mayBeUnique } from "../../../../src/contract/lists/datasets.ts";
import { useGuardedClose } from "../../parts/use-guarded-close.ts";
import { sameValue } from "../../records/value.ts";
import { TYPE_WORDS } from "../../words/type-words.ts";
import { useWords } from "../../words/use-words.ts";
import { columnKeyFrom, type DraftColumn, isKey } from "./schema.ts";
import { SCHEMA_WORDS } from "./schema-words.ts";

/** A column in its dialog, as it was and as it is typed. */
export interface EditedColumn {
  from: DraftColumn;
  column: DraftColumn;
  /** Whether its key was typed, so that it does not follow the label. */
  ownKey: boolean;
}

/** Edits a column. Nothing is stored until the whole form is saved. */
export function ColumnDialog(dialog: {
  edited: EditedColumn;
  /** The keys of the other columns. */
  taken: readonly string[];
  isKeyColumn: boolean;
  onType(edited: EditedColumn): void;
  onDone(column: DraftColumn): void;
  onClose(): void;
}) {
  const { edited, taken, isKeyColumn, onDone, onClose } = dialog;
  const { from, column, ownKey } = edited;
  const words = useWords(SCHEMA_WORDS);
  const types = useWords(TYPE_WORDS);
  const become = (change: Partial<DraftColumn>, typedKey = ownKey) =>
    dialog.onType({ from, column: { ...column, ...change }, ownKey: typedKey });
  const isNew = column.was === undefined;
  const isTaken = taken.includes(column.key);
  const noOptions = column.type === "enum" && column.options.length === 0;
  const isWhole = column.label.trim() !== "" && isKey(column.key) && !isTaken && !noOptions;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isWhole)
      onDone({
        ...column,
        label: column.label.trim(),
        options: column.type === "enum" ? column.options : [],
      });
  };
  const leave = useGuardedClose(!sameValue(column, from), onClose);
  return (
    <Modal opened onClose={leave} title={isNew ? words.add : `${words.edit}: ${from.label}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={words.label}
            value={column.label}
            maxLength={200}
            data-autofocus
            onChange={({ currentTarget: { value: label } }) =>
              become({
                label,
                ...(!ownKey && { key: label.trim() === "" ? "" : columnKeyFrom(label, taken) }),
              })
            }
          />
          <TextInput
            label={words.key}
            description={words.keyHint}
            value={column.key}
            maxLength={60}
            error={
              isTaken ? words.takenKey : column.key !== "" && !isKey(column.key) ? words.badKey : undefined
            }
            spellCheck={false}
            onChange={({ currentTarget }) => become({ key: currentTarget.value }, true)}
          />
          <Select
            label={words.type}
            data={COLUMN_TYPES.map((type) => ({ value: type, label: types[type] }))}
            value={column.type}
            allowDeselect={false}
            maxDropdownHeight={320}
            onChange={(given) => {
              const type = given ?? "text";
              become({ type, unique: column.unique && mayBeUnique(type) });
            }}
          />
          {column.type === "enum" && (
            <TagsInput
              label={words.options}
              placeholder={words.optionsHint}
              value={[...column.options]}
              error={noOptions ? words.noOptions : undefined}
              acceptValueOnBlur
              onChange={(options) => become({ options })}
            />
          )}
          <Switch
            label={words.required}
            description={isKeyColumn ? words.ofKey : words.requiredWhat}
            checked={column.required || isKeyColumn}
            disabled={isKeyColumn}
            onChange={({ currentTarget }) => become({ required: currentTarget.checked })}
          />
          {mayBeUnique(column.type) && (
            <Switch
              label={words.unique}
              description={isKeyColumn ? words.ofKey : words.uniqueWhat}
              checked={column.unique || isKeyColumn}
              disabled={isKeyColumn}
              onChange={({ currentTarget }) => become({ unique: currentTarget.checked })}
            />
          )}
        </Stack>
        <Group mt="xl" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" disabled={!isWhole}>
            {words.done}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
