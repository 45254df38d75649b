import { Text } from "@mantine/core";
import type { ColumnRule } from "../../../../src/contract/imports/import-mapping.ts";
import { useWords } from "../../words/use-words.ts";
import { COLUMN_WORDS } from "./column-words.ts";

/** What happens to a column's cells besides filling the field: a currency, a calling code, entries and prefixes that are removed. */
export function RuleNotes({ rule }: { rule: ColumnRule }) {
  const words = useWords(COLUMN_WORDS);
  const { currency, calling_code: code, without, prefix } = rule;
  const notes = [
    ...(currency === undefined ? [] : [words.currency(currency)]),
    ...(code === undefined ? [] : [words.callingCode(code)]),
    ...(without === undefined ? [] : [words.without(without)]),
    ...(prefix === undefined ? [] : [words.prefix(prefix)]),
  ];
  return notes.map((note) => (
    <Text key={note} size="sm" c="dimmed">
      <bdi>{note}</bdi>
    </Text>
  ));
}
