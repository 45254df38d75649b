import { Select } from "@mantine/core";
import type { ImportColumn } from "../../../../src/contract/imports/import.ts";
import type { ColumnRule, ImportMapping } from "../../../../src/contract/imports/import-mapping.ts";
import { DATE_ORDERS, DECIMALS, sureStyle } from "../../../../src/contract/lists/files.ts";
import { useWords } from "../../words/use-words.ts";
import { COLUMN_WORDS } from "./column-words.ts";
import type { Fillable } from "./use-fillable.ts";

const DATES = ["date", "datetime"];
const NUMBERS = ["number", "integer"];

/** How a column's dates or numbers are written. */
export type Style = Pick<ColumnRule, "dates" | "decimals">;

/** Selects how a column's dates or numbers are written, if it has any. */
export function StyleChoice(choice: {
  column: ImportColumn;
  rule: ColumnRule;
  field: Fillable;
  mapping: ImportMapping;
  onStyle(style: Style): void;
}) {
  const { column, rule, field, mapping, onStyle } = choice;
  const words = useWords(COLUMN_WORDS);
  if (DATES.includes(field.type) && column.dates !== null)
    return (
      <Select
        size="xs"
        label={words.dates}
        aria-label={`${words.dates}: ${column.name}`}
        data={DATE_ORDERS.map((value) => ({ value, label: words[value] }))}
        value={rule.dates ?? mapping.dates ?? sureStyle(column.dates) ?? null}
        placeholder={words.askedStyle}
        allowDeselect={false}
        onChange={(dates) => dates !== null && onStyle({ dates })}
      />
    );
  if (NUMBERS.includes(field.type) && column.decimals !== null)
    return (
      <Select
        size="xs"
        label={words.decimals}
        aria-label={`${words.decimals}: ${column.name}`}
        data={DECIMALS.map((value) => ({ value, label: words[value] }))}
        value={rule.decimals ?? mapping.decimals ?? sureStyle(column.decimals) ?? null}
        placeholder={words.askedStyle}
        allowDeselect={false}
        onChange={(decimals) => decimals !== null && onStyle({ decimals })}
      />
    );
  return null;
}
