import { Alert, Anchor, Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { ApiError } from "../../api/api-error.ts";
import { useDone } from "../../changes/use-done.ts";
import { sentenceOf } from "../../parts/problem.tsx";
import { useGuardedClose } from "../../parts/use-guarded-close.ts";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { ROW_COUNT } from "../../words/row-count.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import type { Row } from "../model/dataset.ts";
import { faultText, REFUSALS } from "../model/dataset-faults.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { MOST_ROWS, useWriteRows } from "../rows/use-write-rows.ts";
import { faultsAt, type Pasted, type PasteFaults, type PasteMode, rowsOf, sheetOf } from "./paste.ts";
import { PasteTable } from "./paste-table.tsx";
import { PASTE_WORDS } from "./paste-words.ts";

const NONE: PasteFaults = new Map();

/** Reviews pasted cells before they are saved, all or none. Errors are shown and corrected at their cells. */
export function PasteDialog(dialog: {
  dataset: Dataset;
  rows: readonly Row[];
  pasted: Pasted;
  onClose(): void;
}) {
  const { dataset, pasted, onClose } = dialog;
  const words = useWords(PASTE_WORDS);
  const grid = useWords(ROW_WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const { id: project, timezone } = useProject();
  const [first] = useState(() => sheetOf(dataset, pasted));
  const [sheet, setSheet] = useState(first);
  const leave = useGuardedClose(sheet !== first, onClose);
  const [mode, setMode] = useState<PasteMode>("insert");
  const [faults, setFaults] = useState<PasteFaults>(NONE);
  const write = useWriteRows(dataset);
  const done = useDone();
  const over = useMemo(() => {
    const from = dialog.rows.findIndex(({ _id }) => _id === pasted.row?._id);
    return from < 0 ? [] : dialog.rows.slice(from, from + sheet.lines.length);
  }, [dialog.rows, pasted.row, sheet.lines.length]);
  const isUpdate = mode === "update";
  const count = isUpdate ? over.length : sheet.lines.length;
  const isTooMany = count > MOST_ROWS;
  const isNothing = sheet.columns.every((column) => column === undefined);

  const save = () => {
    const read = rowsOf(sheet, isUpdate ? over : undefined, { locale, timezone });
    setFaults(read.faults);
    if (read.faults.size > 0) return;
    write.mutate(
      { rows: read.rows, mode },
      {
        onSuccess({ answer: { created, updated }, change }) {
          const rows = ROW_COUNT[locale](number(created + updated));
          done(`${isUpdate ? grid.saved : grid.created}: ${rows}`, change);
          onClose();
        },
        onError(error) {
          if (error instanceof ApiError) setFaults(faultsAt(error.details));
        },
      },
    );
  };
  const correct = (line: number, at: number, text: string) =>
    setSheet((present) => ({
      ...present,
      lines: present.lines.map((cells, i) =>
        i === line
          ? Array.from({ length: present.columns.length }, (_, j) => (j === at ? text : (cells[j] ?? "")))
          : cells,
      ),
    }));
  const whole = [...faults].find(([key]) => key.endsWith(" "));
  return (
    <Modal opened onClose={leave} size="min(72rem, 100%)" title={words.title}>
      <Stack gap="md">
        {over.length > 0 && (
          <Radio.Group
            label={words.mode}
            value={mode}
            onChange={(next) => setMode(next === "update" ? next : "insert")}
          >
            <Group mt="xs" gap="lg">
              <Radio value="insert" label={`${words.insert} (${number(sheet.lines.length)})`} />
              <Radio value="update" label={`${words.update} (${number(over.length)})`} />
            </Group>
          </Radio.Group>
        )}
        {sheet.named && (
          <Text size="sm" c="dimmed">
            {words.named}
          </Text>
        )}
        {isTooMany && (
          <Alert variant="light">
            {words.tooMany}{" "}
            <Anchor
              component={Link}
              to={addressIn(project, `imports/new?dataset=${encodeURIComponent(dataset.key)}`)}
            >
              {words.import}
            </Anchor>
          </Alert>
        )}
        {isNothing && <Alert variant="light">{words.noColumns}</Alert>}
        {(faults.size > 0 || write.error !== null) && (
          <Alert variant="light" color="red" role="alert">
            {faults.size > 0 ? words.wrong : sentenceOf(locale, write.error, REFUSALS[locale])}
            {whole !== undefined &&
              ` ${words.line} ${number(Number.parseInt(whole[0], 10) + 1)}: ${faultText(locale, whole[1])}`}
          </Alert>
        )}
        <PasteTable sheet={sheet} count={count} faults={faults} onCorrect={correct} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button loading={write.isPending} disabled={isTooMany || isNothing || count === 0} onClick={save}>
            {words.save} ({ROW_COUNT[locale](number(count))})
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
