import { Select, SimpleGrid, Text } from "@mantine/core";
import type { ImportColumn } from "../../../../src/contract/imports/import.ts";
import type { ColumnRule } from "../../../../src/contract/imports/import-mapping.ts";
import { type OptOut, optOutOf } from "../../../../src/contract/lists/opt-outs.ts";
import { folded } from "../../../../src/core/folded.ts";
import { useWords } from "../../words/use-words.ts";
import { COLUMN_WORDS } from "./column-words.ts";
import styles from "./columns.module.css";
import type { Fillable } from "./use-fillable.ts";

const SAME = "same";
const BLANK = "blank";
const OPTION = "option ";

/**
 * Maps a column's values to the field's options, if some values are not options, and shows what is read as an opt-out. Values that
 * a question asks about are left to it.
 */
export function ValueMap(map: {
  column: ImportColumn;
  rule: ColumnRule;
  field: Fillable;
  /** The options that the import adds to the field. */
  added: readonly string[];
  isAsked(value: string): boolean;
  onRule(rule: ColumnRule): void;
}) {
  const { column, rule, field, onRule } = map;
  const words = useWords(COLUMN_WORDS);
  const { values = {} } = rule;
  const all = field.type === "enum" ? (column.values ?? []) : [];
  const { isOptOut } = field;
  const options = new Set([...field.options, ...map.added].map(folded));
  const strange = all.filter((value) => !map.isAsked(value) && (isOptOut || !options.has(folded(value))));
  if (strange.length === 0) return null;
  const choose = (value: string, picked: string) => {
    const others = Object.entries(values).filter(([name]) => name !== value);
    const to = picked === BLANK ? "" : picked.slice(OPTION.length);
    const { values: _, ...rest } = rule;
    const next = picked === SAME ? others : [...others, [value, to] as const];
    onRule(next.length === 0 ? rest : { ...rest, values: Object.fromEntries(next) });
  };
  const chosen = (value: string): string => {
    const to = Object.hasOwn(values, value) ? values[value] : undefined;
    const meant = to ?? (isOptOut ? optOutOf(value) : undefined);
    return meant === undefined ? SAME : meant === "" ? BLANK : OPTION + meant;
  };
  return (
    <div className={styles.more}>
      <Text size="sm" fw={600}>
        {words.values}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {isOptOut ? words.optOutsWhat : rule.unknown === "blank" ? words.valuesBlank : words.valuesWhat}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {strange.map((value) => (
          <Select
            key={value}
            size="xs"
            label={<bdi>{value}</bdi>}
            aria-label={words.leadValue(value)}
            data={[
              { value: SAME, label: words.same },
              { value: BLANK, label: words.blank },
              ...[...new Set([...field.options, ...map.added])].map((option) => ({
                value: OPTION + option,
                label: isOptOut ? words.optOuts[option as OptOut] : option,
              })),
            ]}
            value={chosen(value)}
            allowDeselect={false}
            onChange={(picked) => picked !== null && choose(value, picked)}
          />
        ))}
      </SimpleGrid>
    </div>
  );
}
