import { useState } from "react";
import { act, useAct } from "../record/use-import.ts";

/** The answers that are on their way, by question, and what sends more. */
export interface Answering {
  sent: Readonly<Record<string, string>>;
  send(answers: Readonly<Record<string, string>>): void;
}

/** Sends answers to questions of an import. Refusals are shown, and the questions are read again. */
export function useAnswers(id: string): Answering {
  const { mutateAsync } = useAct(id);
  const [sent, setSent] = useState<Answering["sent"]>({});
  const send = async (answers: Answering["sent"]) => {
    setSent((now) => ({ ...now, ...answers }));
    try {
      await mutateAsync(act.answer(answers));
    } catch {
      // useAct has shown it
    } finally {
      const isDone = ([question, choice]: [string, string]) => answers[question] === choice;
      setSent((now) => Object.fromEntries(Object.entries(now).filter((each) => !isDone(each))));
    }
  };
  return { sent, send: (answers) => void send(answers) };
}
