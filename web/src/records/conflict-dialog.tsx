import { Button, Group, Modal, Text } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./conflict-dialog.module.css";

export interface ConflictWords {
  title: string;
  what: string;
  theirs: string;
  mine: string;
  keepTheirs: string;
  keepMine: string;
}

/** Two people changed a field at the same time: shows both values and lets the person choose. */
export function ConflictDialog(dialog: {
  words: ConflictWords;
  /** Which field, and of which record where that is not obvious. */
  of: ReactNode;
  theirs: ReactNode;
  /** When the other person changed it. */
  when?: string;
  mine: ReactNode;
  onSettle(choice: "mine" | "theirs"): void;
}) {
  const { words, onSettle } = dialog;
  return (
    <Modal opened onClose={() => onSettle("theirs")} title={words.title} withCloseButton={false}>
      <Text mb="md">{words.what}</Text>
      <Text>{dialog.of}</Text>
      <dl className={styles.values}>
        <dt>
          {words.theirs}
          {dialog.when !== undefined && ` · ${dialog.when}`}
        </dt>
        <dd>{dialog.theirs}</dd>
        <dt>{words.mine}</dt>
        <dd>{dialog.mine}</dd>
      </dl>
      <Group mt="xl" justify="flex-end">
        <Button variant="default" onClick={() => onSettle("theirs")} data-autofocus>
          {words.keepTheirs}
        </Button>
        <Button onClick={() => onSettle("mine")}>{words.keepMine}</Button>
      </Group>
    </Modal>
  );
}
