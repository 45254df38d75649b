import { Select } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import type { FileColumn, Mapping, Rule } from "../record/import-record.ts";
import { COLUMN_WORDS } from "./column-words.ts";
import type { Fillable } from "./use-fillable.ts";

const DATES = ["date", "datetime"];
const NUMBERS = ["number", "integer"];
const sure = <T extends string>(found: T | "ambiguous" | "mixed" | null): T | null =>
  found === "ambiguous" || found === "mixed" ? null : found;

/** Selects how a column's dates or numbers are written, if it has any. */
export function StyleChoice(choice: {
  column: FileColumn;
  rule: Rule;
  field: Fillable;
  mapping: Mapping;
  onRule(rule: Rule): void;
}) {
  const { column, rule, field, mapping, onRule } = choice;
  const words = useWords(COLUMN_WORDS);
  if (DATES.includes(field.type) && column.dates !== null)
    return (
      <Select
        size="xs"
        label={words.dates}
        aria-label={`${words.dates}: ${column.name}`}
        data={(["dmy", "mdy"] as const).map((value) => ({ value, label: words[value] }))}
        value={rule.dates ?? mapping.dates ?? sure(column.dates)}
        placeholder={words.asked}
        allowDeselect={false}
        onChange={(dates) => dates !== null && onRule({ ...rule, dates: dates as "dmy" | "mdy" })}
      />
    );
  if (NUMBERS.includes(field.type) && column.decimals !== null)
    return (
      <Select
        size="xs"
        label={words.decimals}
        aria-label={`${words.decimals}: ${column.name}`}
        data={(["point", "comma"] as const).map((value) => ({ value, label: words[value] }))}
        value={rule.decimals ?? mapping.decimals ?? sure(column.decimals)}
        placeholder={words.asked}
        allowDeselect={false}
        onChange={(decimals) =>
          decimals !== null && onRule({ ...rule, decimals: decimals as "point" | "comma" })
        }
      />
    );
  return null;
}
