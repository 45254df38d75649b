import { NativeSelect, Select, TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useLocale, useWords } from "../../words/use-words.ts";
import { type AskField, carried, dataTypeOf, OPERATORS } from "../model/operators.ts";
import type { Condition, DataType, Scope } from "../model/part.ts";
import { ValueField } from "../values/value-field.tsx";
import { DATE_OPS, OPS } from "../words/filter-words.ts";
import { PANEL_WORDS } from "../words/panel-words.ts";
import { useEditing } from "./editing.ts";
import styles from "./rows.module.css";
import { useAskFields } from "./use-ask-fields.ts";

const DATA = "data.";
const DATA_TYPES: readonly DataType[] = ["text", "number", "boolean", "date"];

/** One condition: field, operator, value. If the field no longer exists, its condition is kept. */
export function ConditionRow({ part, scope }: { part: Condition; scope: Scope }) {
  const words = useWords(PANEL_WORDS);
  const locale = useLocale();
  const { change } = useEditing();
  const fields = useAskFields(scope);
  const field = fieldOf(part, fields, scope);
  const become = (next: Partial<Condition>) =>
    change(part.id, (old) => (old.kind === "condition" ? { ...old, ...next } : old));
  const ask = (to: AskField, op = to.operators[0] ?? "", value?: unknown) =>
    change(part.id, (old) => {
      if (old.kind !== "condition") return old;
      const { value: _, ...kept } = old;
      const next = carried(to.type, op, value);
      return { ...kept, field: to.name, op, ...(next === undefined ? {} : { value: next }) };
    });
  const names = field?.type === "date" ? { ...OPS[locale], ...DATE_OPS[locale] } : OPS[locale];
  const operators = field === undefined ? [part.op] : [...new Set([...field.operators, part.op])];
  return (
    <div className={styles.condition}>
      <FieldSelect
        part={part}
        fields={fields}
        scope={scope}
        onChoose={(name) => {
          const known = fields.find((each) => each.name === name);
          if (known !== undefined) ask(known);
          else become({ field: name, op: "eq", as: "text" });
        }}
      />
      {scope.of === "event" && part.field.startsWith(DATA) && (
        <DataField part={part} type={field?.type ?? "text"} become={become} ask={ask} />
      )}
      {part.field !== "" && (
        <>
          <NativeSelect
            className={styles.operator}
            aria-label={`${words.operator}: ${field?.label ?? part.field}`}
            value={part.op}
            data={operators.map((op) => ({ value: op, label: names[op] ?? op }))}
            onChange={({ currentTarget }) => field && ask(field, currentTarget.value, part.value)}
          />
          <div className={styles.value}>
            <ValueField
              key={`${part.field} ${part.op} ${field?.type}`}
              field={field ?? textField(part.field)}
              op={part.op}
              value={part.value}
              ofLeads={scope.of === "leads"}
              label={`${words.value}: ${field?.label ?? part.field}`}
              onChange={(value) =>
                change(part.id, (old) => {
                  if (old.kind !== "condition") return old;
                  const { value: _, ...kept } = old;
                  return value === undefined ? kept : { ...kept, value };
                })
              }
            />
          </div>
        </>
      )}
    </div>
  );
}

const textField = (name: string, type: DataType = "text"): AskField => ({
  name,
  label: name.startsWith(DATA) ? name.slice(DATA.length) : name,
  type,
  operators: type === "boolean" ? ["eq", "is_empty", "is_not_empty"] : OPERATORS[type],
  options: null,
  custom: false,
});

function fieldOf(part: Condition, fields: readonly AskField[], scope: Scope): AskField | undefined {
  if (scope.of === "event" && part.field.startsWith(DATA))
    return textField(part.field, part.as ?? dataTypeOf(part.op, part.value));
  return fields.find(({ name }) => name === part.field);
}

/** Chooses a field by name; a new condition starts here. */
function FieldSelect(select: {
  part: Condition;
  fields: readonly AskField[];
  scope: Scope;
  onChoose(name: string): void;
}) {
  const { part, fields, scope } = select;
  const words = useWords(PANEL_WORDS);
  const input = useRef<HTMLInputElement>(null);
  const fresh = part.field === "";
  useEffect(() => {
    if (fresh) input.current?.focus();
  }, [fresh]);
  const isData = scope.of === "event" && part.field.startsWith(DATA);
  const known = isData || fresh || fields.some(({ name }) => name === part.field);
  const option = ({ name, label }: AskField) => ({ value: name, label });
  const [own, standard] = [fields.filter(({ custom }) => custom), fields.filter(({ custom }) => !custom)];
  const data = [
    ...(own.length === 0 ? [] : [{ group: words.own, items: own.map(option) }]),
    ...(own.length === 0 ? standard.map(option) : [{ group: words.standard, items: standard.map(option) }]),
    ...(scope.of === "event" ? [{ value: DATA, label: words.data }] : []),
    ...(known ? [] : [{ value: part.field, label: `${part.field} (${words.gone})` }]),
  ];
  return (
    <Select
      ref={input}
      className={styles.field}
      aria-label={words.field}
      placeholder={words.chooseField}
      nothingFoundMessage={words.noField}
      data={data}
      value={fresh ? null : isData ? DATA : part.field}
      searchable
      allowDeselect={false}
      openOnFocus={false}
      maxDropdownHeight={320}
      onChange={(name) => name !== null && select.onChoose(name)}
    />
  );
}

/** The key of an event's data, and the type it is compared as. */
function DataField(row: {
  part: Condition;
  type: string;
  become(next: Partial<Condition>): void;
  ask(field: AskField): void;
}) {
  const words = useWords(PANEL_WORDS);
  const { part, become } = row;
  return (
    <div className={styles.data}>
      <TextInput
        aria-label={words.dataKey}
        placeholder={words.dataKey}
        value={part.field.slice(DATA.length)}
        maxLength={190}
        flex={1}
        onChange={({ currentTarget }) => become({ field: DATA + currentTarget.value })}
      />
      <NativeSelect
        aria-label={words.dataType}
        value={row.type}
        data={DATA_TYPES.map((type) => ({ value: type, label: words[type] }))}
        onChange={({ currentTarget }) => {
          const as = DATA_TYPES.find((type) => type === currentTarget.value) ?? "text";
          row.ask(textField(part.field, as));
          become({ as });
        }}
      />
    </div>
  );
}
