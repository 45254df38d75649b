import { Button, Group, Modal, Text, Textarea } from "@mantine/core";
import { createContext, type FormEvent, type ReactNode, use, useCallback, useState } from "react";
import { useWords, type Words } from "../words/use-words.ts";

interface Question {
  title: string;
  /** What will happen, and whether it can be undone. */
  what: ReactNode;
  /** The verb on the button: `Delete 12 leads`, never `OK`. */
  action: string;
  danger?: boolean;
  /** The label of a reason that has to be written. */
  reason?: string;
}

const WORDS: Words<{ cancel: string }> = { en: { cancel: "Cancel" }, "pt-BR": { cancel: "Cancelar" } };

/** Asks; returns the reason, which is empty where none was asked for, and null for no. */
const Ask = createContext<(question: Question) => Promise<string | null>>(async () => null);

/** Asks for confirmation: `if (await confirm({ title, what, action, danger: true })) …`. */
export function useConfirm(): (question: Omit<Question, "reason">) => Promise<boolean> {
  const ask = use(Ask);
  return useCallback(async (question) => (await ask(question)) !== null, [ask]);
}

/** Asks for confirmation and a reason, without which there is none; returns the reason, and null for no. */
export const useReason = (): ((question: Question & { reason: string }) => Promise<string | null>) =>
  use(Ask);

/** The longest reason that the API takes. */
const LONGEST = 500;

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const words = useWords(WORDS);
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState<Question & { answer(reason: string | null): void }>();
  const ask = useCallback(
    (question: Question) =>
      new Promise<string | null>((resolve) => {
        setAsked({ ...question, answer: resolve });
        setReason("");
        setOpen(true);
      }),
    [],
  );
  const answer = (given: string | null) => {
    asked?.answer(given);
    setOpen(false);
  };
  const needs = asked?.reason !== undefined;
  const lacks = needs && reason.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // a dialog is not a part of the form that opened it
    event.stopPropagation();
    if (!lacks) answer(reason.trim());
  };
  return (
    <Ask value={ask}>
      {children}
      <Modal
        opened={open}
        onClose={() => answer(null)}
        title={asked?.title}
        withCloseButton={false}
        zIndex={400}
      >
        <form onSubmit={submit}>
          <Text component="div">{asked?.what}</Text>
          {needs && (
            <Textarea
              mt="md"
              label={asked.reason}
              required
              autosize
              minRows={2}
              maxRows={8}
              maxLength={LONGEST}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
              dir="auto"
              data-autofocus
            />
          )}
          <Group mt="xl" justify="flex-end">
            <Button
              variant="default"
              onClick={() => answer(null)}
              {...(needs ? {} : { "data-autofocus": true })}
            >
              {words.cancel}
            </Button>
            <Button type="submit" disabled={lacks} {...(asked?.danger === true ? { color: "red.8" } : {})}>
              {asked?.action}
            </Button>
          </Group>
        </form>
      </Modal>
    </Ask>
  );
}
