import { Button, Group, Modal, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords, type Words } from "../words/use-words.ts";
import styles from "./conflict-dialog.module.css";

const WORDS: Words<Record<"title" | "what" | "theirs" | "mine" | "keepTheirs" | "keepMine", string>> = {
  en: {
    title: "Someone else changed this field",
    what: "This field was changed while you were editing. Choose which value to keep.",
    theirs: "Current value",
    mine: "Your value",
    keepTheirs: "Keep current",
    keepMine: "Use mine",
  },
  "pt-BR": {
    title: "Outra pessoa alterou este campo",
    what: "Este campo foi alterado enquanto você editava. Escolha qual valor manter.",
    theirs: "Valor atual",
    mine: "Seu valor",
    keepTheirs: "Manter o atual",
    keepMine: "Usar o meu",
  },
};

/** Two people changed a field at the same time: shows both values and lets the person choose. */
export function ConflictDialog(dialog: {
  /** Which field, and of which record where that is not obvious. */
  of: ReactNode;
  theirs: ReactNode;
  /** When the other person changed it. */
  when?: string;
  mine: ReactNode;
  onSettle(choice: "mine" | "theirs"): void;
}) {
  const { onSettle } = dialog;
  const words = useWords(WORDS);
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
