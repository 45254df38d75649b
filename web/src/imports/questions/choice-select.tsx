import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../../words/use-words.ts";
import { choiceTaken, type Question } from "../record/questions.ts";
import { Examples } from "./examples.tsx";
import { QUESTION_WORDS } from "./question-words.ts";
import styles from "./questions.module.css";
import { examplesOf, type Say } from "./say-question.ts";
import type { Answering } from "./use-answers.ts";

/** From so many choices on, they can be searched. */
const SEARCHED = 10;

/** The choices of a question in a list, for many of them. */
export function ChoiceSelect({
  question,
  say,
  answering,
  name,
  label,
}: {
  question: Question;
  say: Say;
  answering: Answering;
  /** The accessible name. */
  name: string;
  label?: ReactNode;
}) {
  const words = useWords(QUESTION_WORDS);
  const { id, answer, choices, default: suggested } = question;
  const { each } = examplesOf(question);
  const taken = answering.sent[id] ?? choiceTaken(question);
  const tag = (choice: string) =>
    choice === suggested && answer === null && <span className={styles.suggested}> {words.suggested}</span>;
  return (
    <Select
      aria-label={name}
      label={label}
      description={taken !== null && tag(taken)}
      inputWrapperOrder={["label", "input", "description"]}
      placeholder={words.choose}
      nothingFoundMessage={words.nothing}
      classNames={{ input: styles.select ?? "" }}
      maxDropdownHeight={320}
      searchable={choices.length >= SEARCHED}
      allowDeselect={false}
      aria-busy={answering.sent[id] !== undefined}
      value={taken}
      data={choices.map((choice) => ({ value: choice.id, label: say.choice(question, choice) }))}
      renderOption={({ option: { value, label: text } }) => (
        <span>
          <bdi>{text}</bdi>
          {tag(value)}
          {each && <Examples of={choices.find((choice) => choice.id === value)?.examples ?? []} />}
        </span>
      )}
      onChange={(choice) => choice !== null && choice !== answer && answering.send({ [id]: choice })}
    />
  );
}
