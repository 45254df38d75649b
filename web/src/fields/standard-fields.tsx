import { Paper, Table, Text } from "@mantine/core";
import { useFields } from "../api/queries.ts";
import { useFormat } from "../words/format.ts";
import { TYPE_WORDS } from "../words/type-words.ts";
import { useWords } from "../words/use-words.ts";
import { FIELD_WORDS } from "./field-words.ts";
import styles from "./fields.module.css";

/** The standard fields with their API names; collapsed at first. */
export function StandardFields() {
  const words = useWords(FIELD_WORDS);
  const types = useWords(TYPE_WORDS);
  const { number } = useFormat();
  const { data } = useFields();
  const fields = data?.fields.filter(({ custom }) => !custom) ?? [];
  if (fields.length === 0) return null;
  return (
    <Paper component="details" className={styles.standard}>
      <summary>
        {words.standard}
        <span>{number(fields.length)}</span>
      </summary>
      <Text size="sm" c="dimmed" mb="xs">
        {words.standardWhat}
      </Text>
      <Table verticalSpacing={6} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.field}</Table.Th>
            <Table.Th>{words.key}</Table.Th>
            <Table.Th>{words.type}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map(({ name, label, type }) => (
            <Table.Tr key={name}>
              <Table.Td>{label}</Table.Td>
              <Table.Td>
                <code>{name}</code>
              </Table.Td>
              <Table.Td>{types[type]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
