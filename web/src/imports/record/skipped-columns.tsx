import { Alert, Text } from "@mantine/core";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { useFormat } from "../../words/format.ts";
import { useWords, type Words } from "../../words/use-words.ts";
import { isImportOver } from "./import-record.ts";

const ENGLISH = {
  title: (columns: number, cells: string) =>
    `${columns === 1 ? "1 column is" : `${columns} columns are`} not imported, and ${cells === "1" ? "1 cell is" : `${cells} cells are`} lost`,
  one: (name: string, count: string) => `${name} (${count})`,
};

const PORTUGUESE: typeof ENGLISH = {
  title: (columns, cells) =>
    `${columns === 1 ? "1 coluna não será importada" : `${columns} colunas não serão importadas`}, com perda de ${cells === "1" ? "1 célula" : `${cells} células`}`,
  one: (name, count) => `${name} (${count})`,
};

const WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

/** Lists the columns with content that an import leaves out, before anything is written. */
export function SkippedColumns({ record }: { record: Import }) {
  const words = useWords(WORDS);
  const { number } = useFormat();
  const { skipped_columns: skipped } = record;
  if (skipped.length === 0 || isImportOver(record)) return null;
  const cells = skipped.reduce((sum, { filled }) => sum + filled, 0);
  return (
    <Alert variant="light" color="yellow">
      <Text fw={600} size="sm" mb={4}>
        {words.title(skipped.length, number(cells))}
      </Text>
      <ul style={{ margin: 0, paddingInlineStart: "1.25rem", columns: "16rem" }}>
        {skipped.map(({ name, filled }) => (
          <li key={name}>
            <bdi>{words.one(name, number(filled))}</bdi>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
