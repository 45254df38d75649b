import { ActionIcon, Group, NativeSelect, Tooltip } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { MEANINGS, type Meaning } from "../../../src/contract/lists/figures.ts";
import { readDraft } from "../drafts/draft-store.ts";
import { useDraftPlace } from "../drafts/use-draft.ts";
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPencil, IconTrash } from "../look/icons.ts";
import { placed, useRowDrag } from "../parts/use-row-drag.ts";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import { RenameStatus, renameDraft } from "./rename-status.tsx";
import { StatusDot } from "./status-dot.tsx";
import { LEADS, STATUS_WORDS } from "./status-words.ts";
import styles from "./statuses.module.css";
import { useChangeStatuses } from "./use-change-statuses.ts";

/** One status: its name, its leads, and for editors buttons to move, rename and delete it. */
export function StatusRow(row: {
  status: string;
  statuses: readonly string[];
  meaning: Meaning;
  count: number | undefined;
  mayChange: boolean;
  onDelete(): void;
}) {
  const { status, statuses, count } = row;
  const words = useWords(STATUS_WORDS);
  const leads = useWords(LEADS);
  const { number } = useFormat();
  const change = useChangeStatuses();
  const draftPlace = useDraftPlace();
  const [renaming, setRenaming] = useState(
    () => row.mayChange && readDraft(draftPlace, renameDraft(status)) !== undefined,
  );
  const place = statuses.indexOf(status);
  const move = (by: number) => change.mutate({ to: (list) => moved(list, status, by), said: words.moved });
  const mean = (value: string) => {
    const meaning = MEANINGS.find((each) => each === value);
    if (meaning !== undefined)
      change.mutate({ to: (list) => [...list], meanings: { [status]: meaning }, said: words.meant });
  };
  const { ref, handle, dragged, side } = useRowDrag({
    list: "statuses",
    id: status,
    enabled: row.mayChange,
    onDrop: (other, beside) =>
      change.mutate({ to: (list) => placed(list, other, status, beside), said: words.moved }),
  });
  return (
    <li className={styles.row} ref={ref} data-dragged={dragged} data-side={side}>
      {row.mayChange && (
        <button
          ref={handle}
          type="button"
          className={styles.grip}
          title={words.drag}
          aria-hidden
          tabIndex={-1}
        >
          <IconGripVertical size={16} />
        </button>
      )}
      <StatusDot statuses={statuses} status={status} />
      {renaming ? (
        <RenameStatus status={status} statuses={statuses} onClose={() => setRenaming(false)} />
      ) : (
        <>
          <span className={styles.name}>
            <bdi>{status}</bdi>
            <span className={styles.note}>
              {count === undefined ? "" : count === 0 ? words.empty : leads(count, number(count))}
              {place === 0 && ` · ${words.first}`}
              {!row.mayChange && ` · ${words[row.meaning]}`}
            </span>
          </span>
          {row.mayChange && (
            <NativeSelect
              aria-label={`${words.meaning}: ${status}`}
              title={words.meaning}
              data={MEANINGS.map((value) => ({ value, label: words[value] }))}
              value={row.meaning}
              disabled={change.isPending}
              onChange={({ currentTarget: { value } }) => mean(value)}
            />
          )}
          {row.mayChange && (
            <Group gap={4} wrap="nowrap">
              <Act name={words.up} of={status} disabled={place === 0} onClick={() => move(-1)}>
                <IconArrowUp size={18} />
              </Act>
              <Act
                name={words.down}
                of={status}
                disabled={place === statuses.length - 1}
                onClick={() => move(1)}
              >
                <IconArrowDown size={18} />
              </Act>
              <Act name={words.rename} of={status} onClick={() => setRenaming(true)}>
                <IconPencil size={18} />
              </Act>
              <Act
                name={statuses.length === 1 ? words.last : words.remove}
                of={status}
                disabled={statuses.length === 1}
                onClick={row.onDelete}
              >
                <IconTrash size={18} />
              </Act>
            </Group>
          )}
        </>
      )}
    </li>
  );
}

function Act(act: { name: string; of: string; disabled?: boolean; onClick(): void; children: ReactNode }) {
  return (
    <Tooltip label={act.name}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`${act.name}: ${act.of}`}
        disabled={act.disabled === true}
        onClick={act.onClick}
      >
        {act.children}
      </ActionIcon>
    </Tooltip>
  );
}

/** Returns the list with one status moved by some positions; unchanged if there is no such position. */
function moved(list: readonly string[], status: string, by: number): string[] {
  const from = list.indexOf(status);
  const to = from + by;
  if (from < 0 || to < 0 || to >= list.length) return [...list];
  return list.filter((each) => each !== status).toSpliced(to, 0, status);
}
