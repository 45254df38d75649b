import { Button, Group, Modal, Text } from "@mantine/core";
import { leadName, withValue } from "../../records/lead.ts";
import styles from "../../table/table.module.css";
import { useWords } from "../../words/use-words.ts";
import { LEADS_WORDS } from "../list/leads-words.ts";
import type { LeadColumn } from "./columns.ts";
import { Cell } from "./lead-cell.tsx";
import type { Conflict } from "./use-save.ts";

/** Somebody else was faster: both values, and the choice which stays. */
export function ConflictDialog(dialog: {
  conflict: Conflict;
  column: LeadColumn;
  onMine(): void;
  onTheirs(): void;
}) {
  const { conflict, column } = dialog;
  const { lead, field } = conflict;
  const words = useWords(LEADS_WORDS);
  const isEmpty = (value: unknown) =>
    value === null || value === "" || (Array.isArray(value) && value.length === 0);
  const shown = (value: unknown) =>
    isEmpty(value) ? (
      <i>{words.empty}</i>
    ) : column.name === "name" ? (
      <bdi>{String(value)}</bdi>
    ) : (
      <Cell lead={withValue(lead, field, value)} column={column} />
    );
  return (
    <Modal opened onClose={dialog.onTheirs} title={words.theirs} withCloseButton={false}>
      <Text>
        <strong>
          <bdi>{leadName(lead)}</bdi>
        </strong>{" "}
        · {column.label}
      </Text>
      <Text c="dimmed" size="sm">
        {words.theirsWhat}
      </Text>
      <dl className={styles.values}>
        <dt>{words.nowIs}</dt>
        <dd>{shown(conflict.theirs)}</dd>
        <dt>{words.youWrote}</dt>
        <dd>{shown(conflict.mine)}</dd>
      </dl>
      <Group mt="xl" justify="flex-end">
        <Button variant="default" onClick={dialog.onTheirs} data-autofocus>
          {words.keepTheirs}
        </Button>
        <Button onClick={dialog.onMine}>{words.keepMine}</Button>
      </Group>
    </Modal>
  );
}
