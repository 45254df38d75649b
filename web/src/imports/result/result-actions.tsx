import { Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { IconArrowBackUp } from "../../look/icons.ts";
import { useConfirm } from "../../parts/confirm.tsx";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { isImportOver } from "../record/import-record.ts";
import { REPORT_WORDS } from "../record/report-words.ts";
import { act, useAct } from "../record/use-import.ts";

/** The actions for a finished import: view its leads, resume it, undo it. */
export function ResultActions({ record }: { record: Import }) {
  const words = useWords(REPORT_WORDS);
  const { id: project } = useProject();
  const { number, day } = useFormat();
  const confirm = useConfirm();
  const run = useAct(record.id);
  const { state, created, updated, dataset, expires_at: until } = record;
  const over = isImportOver(record);
  const mayGoOn = (state === "cancelled" || state === "failed") && !over;
  const mayUndo = ["done", "cancelled", "failed"].includes(state) && created + updated > 0 && !over;
  const undo = async () => {
    const what = (
      <Stack gap="xs">
        {created > 0 && <Text>{words.undoNew(number(created))}</Text>}
        {updated > 0 && <Text>{words.undoOld(number(updated))}</Text>}
        <Text c="dimmed">{words.undoKept}</Text>
      </Stack>
    );
    if (await confirm({ title: words.undoTitle, what, action: words.undo, danger: true }))
      run.mutate(act.undo);
  };
  const filter = JSON.stringify({ field: "import_id", op: "eq", value: record.id });
  const seen =
    dataset === null
      ? `leads?filter=${encodeURIComponent(filter)}`
      : `datasets/${encodeURIComponent(dataset.key ?? dataset.id)}`;
  const isSeen = state === "undone" ? false : dataset === null ? created > 0 : created + updated > 0;
  if (!isSeen && !mayGoOn && !mayUndo) return null;
  return (
    <div>
      <Group gap="xs">
        {isSeen && (
          <Button component={Link} to={addressIn(project, seen)} variant="default">
            {dataset === null ? words.see : words.seeRows}
          </Button>
        )}
        {mayGoOn && (
          <Button loading={run.isPending} onClick={() => run.mutate(act.commit)} title={words.goOnWhat}>
            {words.goOn}
          </Button>
        )}
        {mayUndo && (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={16} />}
            loading={run.isPending}
            onClick={() => void undo()}
          >
            {words.undo}
          </Button>
        )}
      </Group>
      {mayUndo && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.undoUntil(day(until))}
        </Text>
      )}
    </div>
  );
}
