import { Button, Group, Paper, Progress, Text } from "@mantine/core";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { useConfirm } from "../../parts/confirm.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { partOf } from "../record/import-record.ts";
import { REPORT_WORDS } from "../record/report-words.ts";
import { act, useAct } from "../record/use-import.ts";

/** The live progress of an import, and a button to cancel it. */
export function Running({ record }: { record: Import }) {
  const words = useWords(REPORT_WORDS);
  const { number, percent } = useFormat();
  const confirm = useConfirm();
  const run = useAct(record.id);
  const { state, file, undo } = record;
  const undoing = state === "undoing";
  const whole = record.created + record.updated;
  const back = (undo?.deleted ?? 0) + (undo?.restored ?? 0) + (undo?.left ?? 0);
  const part = undoing ? (whole === 0 ? undefined : Math.min(1, back / whole)) : partOf(record);
  const cancel = async () => {
    const { cancelTitle: title, cancelWhat: what, cancel: action } = words;
    if (await confirm({ title, what, action, danger: true })) run.mutate(act.cancel);
  };
  return (
    <Paper p="md">
      <Progress
        size="lg"
        value={part === undefined ? 100 : part * 100}
        animated
        striped={part === undefined}
        aria-label={words.progress}
      />
      <Group justify="space-between" mt="sm">
        <Text size="sm" role="status">
          {undoing
            ? words.undoing
            : state === "waiting"
              ? words.waiting
              : `${words.of(number(record.rows), number(file.rows ?? record.rows))}${part === undefined ? "" : ` · ${percent(Math.floor(part * 100) / 100)}`}`}
        </Text>
        {!undoing && (
          <Button variant="default" size="xs" loading={run.isPending} onClick={() => void cancel()}>
            {words.cancel}
          </Button>
        )}
      </Group>
      {!undoing && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.running}
        </Text>
      )}
    </Paper>
  );
}
