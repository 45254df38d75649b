import { Button, Group, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../words/use-words.ts";
import type { Question } from "../record/questions.ts";
import { AnswerState } from "./answer-state.tsx";
import { ChoiceButtons } from "./choice-buttons.tsx";
import { CHOICES } from "./choice-words.ts";
import { Examples } from "./examples.tsx";
import { QUESTION_WORDS } from "./question-words.ts";
import styles from "./questions.module.css";
import type { Say } from "./say-question.ts";
import type { Answering } from "./use-answers.ts";

/** With more columns than these, the list is closed at first. */
const OPEN_UP_TO = 8;
/** From so many columns on, one button sets all of them. */
const SET_ALL_FROM = 4;
const ALL = ["drop", "keep", "note"] as const;

/** What happens to columns that fill no field or are notes: one line for each, as there can be many. */
export function ColumnQuestions({
  questions,
  say,
  answering,
}: {
  questions: readonly Question[];
  say: Say;
  answering: Answering;
}) {
  const words = useWords(QUESTION_WORDS);
  const { unused_column: names } = useWords(CHOICES);
  const [isOpen] = useState(questions.length <= OPEN_UP_TO);
  const offering = (choice: string) =>
    questions.filter(({ choices }) => choices.some(({ id }) => id === choice));
  const setAll = (choice: string) =>
    answering.send(Object.fromEntries(offering(choice).map(({ id }) => [id, choice])));
  return (
    <Paper component="details" open={isOpen} className={styles.columns}>
      <summary className={styles.summary}>{words.unused(questions.length)}</summary>
      <Text size="sm" c="dimmed" px="md" pb="sm">
        {words.unusedWhat}
      </Text>
      {questions.length >= SET_ALL_FROM && (
        <Group gap="xs" px="md" pb="sm">
          <Text size="sm">{words.all}</Text>
          {ALL.filter((choice) => offering(choice).length > 0).map((choice) => (
            <Button
              key={choice}
              variant="default"
              size="xs"
              className={styles.setAll}
              onClick={() => setAll(choice)}
            >
              {names?.[choice]}
            </Button>
          ))}
        </Group>
      )}
      <ul className={styles.list}>
        {questions.map((question) => (
          <li key={question.id} className={styles.line}>
            <div className={styles.from}>
              <bdi className={styles.column}>{question.columns[0]}</bdi>
              <Examples of={question.examples} />
              <AnswerState question={question} />
            </div>
            <ChoiceButtons
              question={question}
              say={say}
              answering={answering}
              labels={{ "aria-label": words.of(question.columns[0] ?? "") }}
              compact
            />
          </li>
        ))}
      </ul>
    </Paper>
  );
}
