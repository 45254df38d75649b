import { Anchor, Paper, Text, Title } from "@mantine/core";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { useApi } from "../../api/queries.ts";
import { addressOf } from "../../api/request.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { isImportOver } from "../record/import-record.ts";
import { REPORT_WORDS } from "../record/report-words.ts";

/** Downloads of the file's rows: failed with reasons, successful, unprocessed. */
export function ResultFiles({ record }: { record: Import }) {
  const words = useWords(REPORT_WORDS);
  const { number } = useFormat();
  const { projectId } = useApi();
  const { file, failed, rows, skipped, bytes } = { ...record, bytes: record.file.bytes };
  const rest = Math.max(0, (file.rows ?? rows) - rows);
  const files = [
    { name: "errors.csv" as const, text: words.errorsFile, count: failed, kept: true },
    {
      name: "successful.csv" as const,
      text: words.successFile,
      count: rows - failed - skipped,
      kept: bytes !== null,
    },
    { name: "unprocessed.csv" as const, text: words.restFile, count: rest, kept: bytes !== null },
  ].filter(({ count, kept }) => count > 0 && kept);
  if (files.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="xs">
        {words.files}
      </Title>
      <Paper p="md">
        {isImportOver(record) ? (
          <Text c="dimmed">{words.filesGone}</Text>
        ) : (
          <ul style={{ margin: 0, padding: 0, listStyle: "none" }}>
            {files.map(({ name, text, count }) => (
              <li key={name}>
                <Anchor
                  href={addressOf(projectId, "GET", `/v1/imports/{id}/${name}`, {
                    params: { id: record.id },
                  })}
                  download
                >
                  {text}
                </Anchor>{" "}
                <Text span size="sm" c="dimmed">
                  {number(count)} · {words.csv}
                </Text>
              </li>
            ))}
          </ul>
        )}
      </Paper>
    </section>
  );
}
