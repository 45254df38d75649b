import { type ComboboxItem, Select } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import { COLUMN_WORDS } from "./column-words.ts";
import type { Fillable } from "./use-fillable.ts";

const NONE = "none";
const FRESH = "new";
const FIELD = "field ";

/** Selects the field that a column fills; typing searches by name and key. */
export function FieldChoice(choice: {
  column: string;
  value: string | undefined;
  fields: ReadonlyMap<string, Fillable>;
  filledBy: ReadonlyMap<string, string>;
  onChange(field: string | undefined): void;
  onNew: (() => void) | undefined;
}) {
  const { column, value, fields, filledBy } = choice;
  const words = useWords(COLUMN_WORDS);
  const item = ({ name, label, shared }: Fillable): ComboboxItem => {
    const by = filledBy.get(name);
    const taken = by !== undefined && by !== column && !shared;
    return { value: FIELD + name, label: taken ? `${label} · ${words.taken(by)}` : label, disabled: taken };
  };
  const all = [...fields.values()];
  const own = all.filter(({ custom }) => custom).map(item);
  const standard = all.filter(({ custom }) => !custom).map(item);
  const group = choice.onNew === undefined ? words.columnsOf : words.standard;
  return (
    <Select
      aria-label={words.fills(column)}
      placeholder={words.search}
      nothingFoundMessage={words.nothing}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      value={value === undefined ? NONE : FIELD + value}
      data={[
        { value: NONE, label: words.ignore },
        ...(choice.onNew === undefined ? [] : [{ value: FRESH, label: words.fresh }]),
        ...(own.length > 0 ? [{ group: words.own, items: own }] : []),
        { group, items: standard },
      ]}
      onChange={(picked) => {
        if (picked === FRESH) choice.onNew?.();
        else if (picked !== null) choice.onChange(picked === NONE ? undefined : picked.slice(FIELD.length));
      }}
    />
  );
}
