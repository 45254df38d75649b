import { Alert, Button, Group, Paper, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { sizeIn } from "../../words/file-size.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { IMPORT_WORDS } from "../record/import-words.ts";
import { isAboutFile, isOpen } from "../record/questions.ts";
import styles from "./file.module.css";
import { FileReading } from "./file-reading.tsx";
import { FILE_WORDS, PRESETS } from "./file-words.ts";

const MOST_SHOWN = 60;

/** What was detected in the file, with what it leaves open, options to change it, and its columns. */
export function FileStep({
  record,
  questions,
  onNext,
}: {
  record: Import;
  questions: ReactNode;
  onNext(): void;
}) {
  const words = useWords(FILE_WORDS);
  const { left } = useWords(IMPORT_WORDS);
  const locale = useLocale();
  const { number, percent, list } = useFormat();
  const { file, columns, preset } = record;
  const open = record.questions.filter((question) => isAboutFile(question) && isOpen(question)).length;
  return (
    <Stack gap="md">
      <Text c="dimmed">{words.lead}</Text>
      {questions}
      <Paper p="md">
        <FileReading key={JSON.stringify(file)} record={record} />
        <Text size="sm" c="dimmed" mt="md">
          {words.rows}: {number(file.rows ?? 0)}
          {file.bytes !== null && ` · ${words.size}: ${sizeIn(locale, file.bytes)}`}
          {file.bom === true && ` · ${words.bom}`}
        </Text>
        {preset !== null && preset.because.length > 0 && (
          <Alert variant="light" mt="md" title={PRESETS[preset.name] ?? preset.name}>
            {words.because(list(preset.because))}
          </Alert>
        )}
      </Paper>
      <Paper>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <section className={styles.scroll} tabIndex={0} aria-label={words.columns}>
          <Table verticalSpacing="xs" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.column}</Table.Th>
                <Table.Th>{words.samples}</Table.Th>
                <Table.Th ta="right">{words.filled}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {columns.slice(0, MOST_SHOWN).map(({ name, samples, filled }) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={600}>
                    <bdi className={styles.cut}>{name}</bdi>
                  </Table.Th>
                  <Table.Td>
                    <Samples of={samples} />
                  </Table.Td>
                  <Table.Td ta="right">{file.rows ? percent(filled / file.rows) : "—"}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
        {columns.length > MOST_SHOWN && (
          <Text size="sm" c="dimmed" p="md">
            + {number(columns.length - MOST_SHOWN)}
          </Text>
        )}
      </Paper>
      <Group justify="flex-end">
        <Text size="sm" c="dimmed" role="status">
          {open > 0 && left(open)}
        </Text>
        <Button disabled={open > 0} onClick={onNext}>
          {words.next}
        </Button>
      </Group>
    </Stack>
  );
}

/** Sample cells of a column, unchanged. */
export const Samples = ({ of }: { of: readonly string[] }) => (
  <span className={styles.samples}>
    {of.slice(0, 3).map((sample) => (
      <bdi key={sample} className={styles.sample} title={sample}>
        {sample}
      </bdi>
    ))}
  </span>
);
