import { Select, Textarea, TextInput, type TextInputProps } from "@mantine/core";
import type { Column } from "../../../../src/contract/datasets/dataset.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import type { InputValue } from "./input-value.ts";

const TYPES: Partial<Record<Column["type"], string>> = { date: "date", datetime: "datetime-local" };
const MODES = { integer: "numeric", number: "decimal", email: "email", phone: "tel", url: "url" } as const;

/** An input for a column's type. Numbers are written as in the user's language. */
export function ColumnInput(
  input: Pick<
    TextInputProps,
    "label" | "error" | "required" | "size" | "radius" | "autoFocus" | "aria-label"
  > & {
    column: Column;
    value: InputValue;
    onChange(value: InputValue): void;
    /** Whether there is room for more than one line. */
    tall?: boolean;
    opened?: boolean;
    onClose?(): void;
    /** Takes the focus when its dialog opens; Mantine's dialogs take it from whatever has `autoFocus`. */
    "data-autofocus"?: boolean | undefined;
  },
) {
  const { column, value, onChange, tall = false, opened, onClose, ...usual } = input;
  const words = useWords(ROW_WORDS);
  const locale = useLocale();
  const { type } = column;
  if (type === "boolean" || type === "enum") {
    const options =
      type === "enum"
        ? column.options.map((each) => ({ value: each, label: each }))
        : [
            { value: "true", label: words.yes },
            { value: "false", label: words.no },
          ];
    return (
      <Select
        {...usual}
        data={options}
        value={value === "" ? null : String(value)}
        clearable={!column.required}
        searchable={options.length > 7}
        openOnFocus={!tall}
        // Without it, Mantine looks for the chosen option in a timer, which forgets an option that an arrow key reached.
        selectFirstOptionOnDropdownOpen={value === ""}
        placeholder={tall ? words.empty : ""}
        comboboxProps={tall ? {} : { width: "max-content", position: "bottom-start" }}
        {...(opened === true && { defaultDropdownOpened: true })}
        {...(onClose !== undefined && { onDropdownClose: onClose })}
        onChange={(chosen) => onChange(chosen ?? "")}
      />
    );
  }
  if (tall && (type === "text" || type === "json"))
    return (
      <Textarea
        {...usual}
        value={String(value)}
        autosize
        minRows={type === "json" ? 3 : 1}
        maxRows={12}
        maxLength={20_000}
        spellCheck={type === "text"}
        {...(type === "json" && {
          styles: { input: { fontFamily: "var(--mantine-font-family-monospace)" } },
        })}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  const isNumber = type === "number" || type === "integer";
  return (
    <TextInput
      {...usual}
      type={TYPES[type] ?? "text"}
      value={isNumber && typeof value === "number" ? writtenNumber(value, locale) : String(value)}
      inputMode={type in MODES ? MODES[type as keyof typeof MODES] : "text"}
      maxLength={20_000}
      onFocus={({ currentTarget }) => TYPES[type] === undefined && currentTarget.select()}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Returns a number for editing: no grouping, the language's decimal mark. */
const writtenNumber = (value: number, locale: string): string =>
  locale === "pt-BR" ? String(value).replace(".", ",") : String(value);
