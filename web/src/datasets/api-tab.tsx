import { Anchor, Button, Paper, Stack, Text, Title } from "@mantine/core";
import type { Column, Dataset } from "../../../src/contract/datasets/dataset.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import { useCopy } from "../parts/use-copy.ts";
import { useMe, useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./api-tab.module.css";
import { API_WORDS } from "./api-words.ts";

const SAMPLES: Readonly<Record<Column["type"], unknown>> = {
  text: "text",
  integer: 12,
  number: 12.5,
  boolean: true,
  date: "2026-03-31",
  datetime: "2026-03-31T14:30:00Z",
  email: "ana@example.org",
  phone: "+5511912345678",
  url: "https://example.org",
  enum: "",
  json: {},
};

const KEY = '-H "Authorization: Bearer $LEADGATE_KEY"';

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Examples of API calls for this dataset, ready to run. */
export function ApiTab({ dataset }: { dataset: Dataset }) {
  const words = useWords(API_WORDS);
  const copy = useCopy();
  const { apiUrl } = useMe();
  const { id: project, manages } = useProject();
  const base = `${apiUrl}/api/v1/datasets/${dataset.key}`;
  const row = Object.fromEntries(
    dataset.columns
      .filter(({ required, key }) => required || key === dataset.columns[0]?.key)
      .map(({ key, type, options }) => [key, type === "enum" ? options[0] : SAMPLES[type]]),
  );
  const mode = dataset.key_column === null ? "insert" : "upsert";
  const json = '-H "Content-Type: application/json"';
  const calls: [string, string][] = [
    [words.read, `curl "${base}/rows?limit=50" \\\n  ${KEY}`],
    [
      words.write,
      `curl -X POST "${base}/rows/batch" \\\n  ${KEY} \\\n  ${json} \\\n  -d ${quoted(JSON.stringify({ mode, rows: [row] }))}`,
    ],
    [
      words.file,
      `curl -X POST "${apiUrl}/api/datasets/${dataset.key}/import/" \\\n  ${KEY} \\\n  -H "Content-Type: text/csv" \\\n  --data-binary @rows.csv`,
    ],
  ];
  return (
    <Stack gap="md" maw="56rem">
      <Text>
        {words.lead} {words.keysWhat}
      </Text>
      {calls.map(([name, call]) => (
        <Paper key={name} p="md" component="section" aria-label={name}>
          <Title order={2} mb="xs">
            {name}
          </Title>
          <div className={styles.code}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
            <pre tabIndex={0}>
              <code>{call}</code>
            </pre>
            <Button
              size="xs"
              variant="default"
              onClick={() => copy(call)}
              aria-label={`${words.copy}: ${name}`}
            >
              {words.copy}
            </Button>
          </div>
        </Paper>
      ))}
      <Text size="sm">
        <Anchor href={`${apiUrl}/reference`} target="_blank" rel="noopener noreferrer" inherit>
          {words.reference}
        </Anchor>
        {manages && (
          <>
            {" · "}
            <Anchor href={addressIn(project, "settings/api-keys")} inherit>
              {words.keys}
            </Anchor>
          </>
        )}
      </Text>
    </Stack>
  );
}
