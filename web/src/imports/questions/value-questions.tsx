import { Paper, SimpleGrid, Title } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import type { Question } from "../record/questions.ts";
import { AnswerState } from "./answer-state.tsx";
import { ChoiceSelect } from "./choice-select.tsx";
import { QUESTION_WORDS } from "./question-words.ts";
import styles from "./questions.module.css";
import { isOptOutWord, type Say } from "./say-question.ts";
import type { Answering } from "./use-answers.ts";

/** The questions about the values of one column, each with a list of choices. */
export function ValueQuestions({
  questions,
  say,
  answering,
}: {
  questions: readonly [Question, ...Question[]];
  say: Say;
  answering: Answering;
}) {
  const words = useWords(QUESTION_WORDS);
  const [first] = questions;
  const [column = ""] = first.columns;
  return (
    <Paper p="md" className={styles.card}>
      <Title order={3}>
        <bdi>{isOptOutWord(first) ? words.optOutValues(column) : words.values(column, say.field(first))}</bdi>
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {questions.map((question) => {
          const [value = ""] = question.examples;
          return (
            <div key={question.id}>
              <ChoiceSelect
                question={question}
                say={say}
                answering={answering}
                name={words.leadValue(value)}
                label={<bdi>{value}</bdi>}
              />
              <AnswerState question={question} />
            </div>
          );
        })}
      </SimpleGrid>
    </Paper>
  );
}
