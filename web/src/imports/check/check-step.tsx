import { Alert, Button, Group, Loader, Paper, Stack, Text } from "@mantine/core";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { ChoicesMade } from "../questions/choices-made.tsx";
import { IMPORT_WORDS } from "../record/import-words.ts";
import { isOpen } from "../record/questions.ts";
import { SkippedColumns } from "../record/skipped-columns.tsx";
import { act, useAct } from "../record/use-import.ts";
import { CHECK_WORDS } from "./check-words.ts";
import { CountTiles } from "./count-tiles.tsx";
import { FailedRows } from "./failed-rows.tsx";
import { useFixes } from "./fixes.ts";

/** The result of a dry run, and the button to start the import. */
export function CheckStep({ record, onColumns }: { record: Import; onColumns(): void }) {
  const words = useWords(CHECK_WORDS);
  const { left } = useWords(IMPORT_WORDS);
  const { number } = useFormat();
  const run = useAct(record.id);
  const [fixes, setFixes] = useFixes(record.id);
  const { dry_run: dry, error } = record;
  const open = record.questions.filter(isOpen).length;
  if (record.state === "checking")
    return (
      <Paper p="xl" ta="center">
        <Stack align="center" gap="md">
          <Loader />
          <Text role="status">{words.checking}</Text>
          <Button variant="default" loading={run.isPending} onClick={() => run.mutate(act.cancel)}>
            {words.cancel}
          </Button>
        </Stack>
      </Paper>
    );
  if (dry === null)
    return (
      <Stack gap="md">
        {error !== null && (
          <Alert color="red" variant="light">
            <bdi>{error.message}</bdi>
          </Alert>
        )}
        <Paper p="xl" ta="center">
          <Text mb="md">{words.startWhat}</Text>
          {open > 0 && (
            <Text mb="md" c="dimmed" role="status">
              {left(open)}
            </Text>
          )}
          <Group justify="center">
            <Button variant="default" onClick={onColumns}>
              {words.columns}
            </Button>
            <Button loading={run.isPending} disabled={open > 0} onClick={() => run.mutate(act.check)}>
              {words.start}
            </Button>
          </Group>
        </Paper>
      </Stack>
    );
  const good = dry.created + dry.updated + dry.unchanged;
  return (
    <Stack gap="lg">
      <Text c="dimmed">{words.lead}</Text>
      <CountTiles counts={dry} />
      {(dry.repeated ?? 0) > 0 && <Alert variant="light">{words.repeated(number(dry.repeated ?? 0))}</Alert>}
      {good === 0 && (
        <Alert variant="light" color="yellow">
          {words.nothing}
        </Alert>
      )}
      <SkippedColumns record={record} />
      <ChoicesMade record={record} />
      {dry.failed > 0 && (
        <FailedRows
          record={record}
          title={words.errors}
          lead={words.errorsWhat}
          fixes={fixes}
          onFixes={setFixes}
        />
      )}
      <Group justify="flex-end">
        {Object.keys(fixes).length > 0 && (
          <Text size="sm" c="dimmed">
            {words.commitFixed}
          </Text>
        )}
        <Button variant="default" onClick={onColumns}>
          {words.columns}
        </Button>
        <Button loading={run.isPending} disabled={good === 0} onClick={() => run.mutate(act.commit)}>
          {words.commit(number(good))}
        </Button>
      </Group>
    </Stack>
  );
}
