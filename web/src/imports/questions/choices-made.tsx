import { Paper, Text } from "@mantine/core";
import { useState } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { useWords } from "../../words/use-words.ts";
import { choiceTaken } from "../record/questions.ts";
import { AnswerState } from "./answer-state.tsx";
import { QUESTION_WORDS } from "./question-words.ts";
import styles from "./questions.module.css";
import { useSay } from "./say-question.ts";

/** The choices that an import was made with, suggestions included, closed at first. */
export function ChoicesMade({ record }: { record: Import }) {
  const words = useWords(QUESTION_WORDS);
  const [isOpen, setOpen] = useState(false);
  const made = record.questions.filter((question) => choiceTaken(question) !== null).length;
  if (made === 0) return null;
  return (
    <Paper
      component="details"
      className={styles.columns}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={styles.summary}>{words.made(made)}</summary>
      {isOpen && <List record={record} />}
    </Paper>
  );
}

function List({ record }: { record: Import }) {
  const words = useWords(QUESTION_WORDS);
  const say = useSay(record);
  const lines = record.questions.flatMap((question) => {
    const choice = question.choices.find(({ id }) => id === choiceTaken(question));
    return choice === undefined ? [] : [{ question, choice }];
  });
  return (
    <table className={styles.made}>
      <thead>
        <tr>
          <th scope="col">{words.question}</th>
          <th scope="col">{words.choice}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ question, choice }) => (
          <tr key={question.id}>
            <th scope="row">
              <bdi>{say.sentence(question).title}</bdi>
            </th>
            <td>
              <bdi>{say.choice(question, choice)}</bdi>{" "}
              <Text span size="sm" c="dimmed">
                {question.answer === null ? (
                  `· ${words.bySuggestion}`
                ) : question.answered_in === null ? (
                  `· ${words.byYou}`
                ) : (
                  <>
                    · <AnswerState question={question} />
                  </>
                )}
              </Text>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
