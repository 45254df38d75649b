import { Paper, Text, Title } from "@mantine/core";
import { useId } from "react";
import { isOpen, type Question } from "../record/questions.ts";
import { AnswerState } from "./answer-state.tsx";
import { ChoiceButtons } from "./choice-buttons.tsx";
import { ChoiceSelect } from "./choice-select.tsx";
import { Examples } from "./examples.tsx";
import styles from "./questions.module.css";
import { examplesOf, type Say } from "./say-question.ts";
import type { Answering } from "./use-answers.ts";

/** More choices than these are a list. */
const MOST_BUTTONS = 5;

/** A question with its choices, each with how it reads the file. */
export function QuestionCard({
  question,
  say,
  answering,
}: {
  question: Question;
  say: Say;
  answering: Answering;
}) {
  const id = useId();
  const { title, hint } = say.sentence(question);
  const { once } = examplesOf(question);
  return (
    <Paper p="md" className={styles.card} data-open={isOpen(question)}>
      <div className={styles.head}>
        <Title order={3} id={id}>
          <bdi>{title}</bdi>
        </Title>
        <AnswerState question={question} />
      </div>
      {hint !== undefined && (
        <Text size="sm" c="dimmed" id={`${id}-hint`}>
          <bdi>{hint}</bdi>
        </Text>
      )}
      <Examples of={once} />
      {question.choices.length > MOST_BUTTONS ? (
        <ChoiceSelect question={question} say={say} answering={answering} name={title} />
      ) : (
        <ChoiceButtons
          question={question}
          say={say}
          answering={answering}
          labels={{
            "aria-labelledby": id,
            ...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` }),
          }}
        />
      )}
    </Paper>
  );
}
