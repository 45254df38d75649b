import { Button, Group, Modal, Text } from "@mantine/core";
import { createContext, type ReactNode, use, useCallback, useState } from "react";
import { useWords, type Words } from "../words/use-words.ts";

interface Question {
  title: string;
  /** What will happen, and whether it can be undone. */
  what: ReactNode;
  /** The verb on the button: `Delete 12 leads`, never `OK`. */
  action: string;
  danger?: boolean;
}

const WORDS: Words<{ cancel: string }> = { en: { cancel: "Cancel" }, "pt-BR": { cancel: "Cancelar" } };

const Ask = createContext<(question: Question) => Promise<boolean>>(async () => false);

/** Asks for confirmation: `if (await confirm({ title, what, action, danger: true })) …`. */
export const useConfirm = (): ((question: Question) => Promise<boolean>) => use(Ask);

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const words = useWords(WORDS);
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState<Question & { answer(yes: boolean): void }>();
  const ask = useCallback(
    (question: Question) =>
      new Promise<boolean>((resolve) => {
        setAsked({ ...question, answer: resolve });
        setOpen(true);
      }),
    [],
  );
  const answer = (yes: boolean) => {
    asked?.answer(yes);
    setOpen(false);
  };
  return (
    <Ask value={ask}>
      {children}
      <Modal
        opened={open}
        onClose={() => answer(false)}
        title={asked?.title}
        withCloseButton={false}
        zIndex={400}
      >
        <Text component="div">{asked?.what}</Text>
        <Group mt="xl" justify="flex-end">
          <Button variant="default" onClick={() => answer(false)} data-autofocus>
            {words.cancel}
          </Button>
          <Button {...(asked?.danger === true ? { color: "red.8" } : {})} onClick={() => answer(true)}>
            {asked?.action}
          </Button>
        </Group>
      </Modal>
    </Ask>
  );
}
