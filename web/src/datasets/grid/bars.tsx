import { Button, Group } from "@mantine/core";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { IconCopy, IconTrash } from "../../look/icons.ts";
import { againIn } from "../../parts/problem.tsx";
import { useCopy } from "../../parts/use-copy.ts";
import { useProject } from "../../session/me.ts";
import table from "../../table/table.module.css";
import { useFormat } from "../../words/format.ts";
import { ROW_COUNT } from "../../words/row-count.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { clipboardText } from "../model/clipboard-text.ts";
import { type Row, rowName } from "../model/dataset.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { readInput } from "../rows/input-value.ts";
import type { useRowSelection } from "../rows/use-row-selection.ts";
import type { useSaveCell } from "../rows/use-save-cell.ts";
import { MOST_ROWS } from "../rows/use-write-rows.ts";
import styles from "./grid.module.css";

/** The actions for selected rows. */
export function ChosenBar({
  dataset,
  choice,
  isBusy,
  onDelete,
}: {
  dataset: Dataset;
  choice: ReturnType<typeof useRowSelection>;
  isBusy: boolean;
  onDelete(): void;
}) {
  const words = useWords(ROW_WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const { chosen } = choice;
  const copy = useCopy();
  const copyRows = () => {
    const lines = [
      dataset.columns.map(({ key }) => key),
      ...[...chosen.values()].map((row) => dataset.columns.map(({ key }) => clipboardText(row[key], locale))),
    ];
    copy(lines.map((line) => line.join("\t")).join("\n"));
  };
  return (
    <div className={table.bulk}>
      <strong role="status">{ROW_COUNT[locale](number(chosen.size))}</strong>
      <Button size="xs" variant="default" leftSection={<IconCopy size={14} />} onClick={copyRows}>
        {words.copyRows}
      </Button>
      <Button
        size="xs"
        variant="default"
        c="var(--warn)"
        leftSection={<IconTrash size={14} />}
        loading={isBusy}
        disabled={chosen.size > MOST_ROWS}
        onClick={onDelete}
      >
        {words.deleteRows}
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={choice.clear}>
        {words.letGo}
      </Button>
    </div>
  );
}

/** The most values listed; the others are only counted. */
const SHOWN = 3;

/** The values that were not saved, with their cells and reasons. */
export function FaultBar({
  cells,
  rows,
  dataset,
}: {
  cells: ReturnType<typeof useSaveCell>;
  rows: readonly Row[];
  dataset: Dataset;
}) {
  const words = useWords(ROW_WORDS);
  const locale = useLocale();
  const { timezone } = useProject();
  const { number } = useFormat();
  const faults = [...cells.faults.values()];
  if (faults.length === 0) return null;
  return (
    <div className={styles.faults} role="alert" aria-label={words.notSaved}>
      <ul>
        {faults.slice(0, SHOWN).map(({ row: id, column, message, input, seen }) => {
          const row = rows.find(({ _id }) => _id === id);
          return (
            <li key={`${id} ${column.key}`}>
              <span>
                <strong>{words.notSaved}:</strong> <bdi>{row === undefined ? id : rowName(dataset, row)}</bdi>{" "}
                · <bdi>{column.label}</bdi> <bdi>{message}</bdi>
              </span>
              <Group gap={4} wrap="nowrap">
                {seen !== undefined && input !== undefined && (
                  <Button
                    size="compact-xs"
                    variant="light"
                    onClick={() => {
                      const reading = readInput(column, input, seen[column.key], { locale, timezone });
                      if (!("code" in reading)) cells.save(seen, column, reading.value, input);
                    }}
                  >
                    {againIn(locale)}
                  </Button>
                )}
                <Button size="compact-xs" variant="subtle" onClick={() => cells.forget(id, column.key)}>
                  {words.discard}
                </Button>
              </Group>
            </li>
          );
        })}
        {faults.length > SHOWN && <li>+{number(faults.length - SHOWN)}</li>}
      </ul>
    </div>
  );
}
