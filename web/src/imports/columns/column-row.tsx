import { Text } from "@mantine/core";
import type { Import, ImportColumn } from "../../../../src/contract/imports/import.ts";
import type { ColumnRule, ImportMapping } from "../../../../src/contract/imports/import-mapping.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { Samples } from "../file/file-step.tsx";
import { PRESETS } from "../file/file-words.ts";
import { ruleOf } from "../record/import-record.ts";
import type { Question } from "../record/questions.ts";
import { COLUMN_WORDS } from "./column-words.ts";
import styles from "./columns.module.css";
import { FieldChoice } from "./field-choice.tsx";
import { RuleNotes } from "./rule-notes.tsx";
import { type Style, StyleChoice } from "./style-choice.tsx";
import type { Fillable } from "./use-fillable.ts";
import { ValueMap } from "./value-map.tsx";

const STYLES: readonly string[] = ["date_order", "decimals"];

/** A column: its samples, its field with the confidence of the match, and its format. */
export function ColumnRow(row: {
  column: ImportColumn;
  record: Import;
  mapping: ImportMapping;
  fields: ReadonlyMap<string, Fillable>;
  filledBy: ReadonlyMap<string, string>;
  /** A question about the column that must be answered. */
  open: Question | undefined;
  isAsked(value: string): boolean;
  onRule(rule: ColumnRule | undefined): void;
  onStyle(style: Style): void;
  onNew: (() => void) | undefined;
}) {
  const { column, mapping, fields, filledBy, onRule } = row;
  const words = useWords(COLUMN_WORDS);
  const { number } = useFormat();
  const rule = ruleOf(mapping, column.name);
  const field = rule === undefined ? undefined : fields.get(rule.field);
  const choose = (name: string | undefined) => {
    if (name === undefined) return onRule(undefined);
    // What is only for the former field goes with it.
    const {
      values: _,
      field: __,
      currency: ___,
      calling_code: ____,
      without: _____,
      ...rest
    } = rule ?? { field: "" };
    onRule({ ...rest, field: name });
  };
  return (
    <li className={`${styles.column} ${row.open === undefined ? "" : styles.asked}`}>
      <div className={styles.from}>
        <bdi className={styles.name} title={column.name}>
          {column.name}
        </bdi>
        <Samples of={column.samples} />
        <span className={styles.note}>{words.filled(number(column.filled))}</span>
      </div>
      <div className={styles.to}>
        <FieldChoice
          column={column.name}
          value={rule?.field}
          fields={fields}
          filledBy={filledBy}
          onChange={choose}
          onNew={row.onNew}
        />
        <Text size="sm" c="dimmed">
          {row.open !== undefined ? (
            STYLES.includes(row.open.kind) ? (
              words.askedStyle
            ) : (
              words.asked
            )
          ) : (
            <Confidence column={column} rule={rule} record={row.record} />
          )}
        </Text>
        {rule !== undefined && <RuleNotes rule={rule} />}
        {rule !== undefined && field !== undefined && (
          <StyleChoice column={column} rule={rule} field={field} mapping={mapping} onStyle={row.onStyle} />
        )}
      </div>
      {rule !== undefined && field !== undefined && (
        <ValueMap
          column={column}
          rule={rule}
          field={field}
          added={mapping.options?.[rule.field] ?? []}
          isAsked={row.isAsked}
          onRule={onRule}
        />
      )}
    </li>
  );
}

/** How the field was matched. */
function Confidence({
  column,
  rule,
  record,
}: {
  column: ImportColumn;
  rule: ColumnRule | undefined;
  record: Import;
}) {
  const words = useWords(COLUMN_WORDS);
  const { guess } = column;
  if (rule === undefined) return guess === undefined ? words.unsure : words.ignore;
  if (guess === undefined || guess.field !== rule.field) return words.chosen;
  const program = record.preset?.name;
  if (guess.by === "preset") return words.preset(program === undefined ? "" : PRESETS[program]);
  return guess.by === "name" ? words.sure : words.likely;
}
