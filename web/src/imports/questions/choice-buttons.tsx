import { Loader, UnstyledButton } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import { choiceTaken, type Question } from "../record/questions.ts";
import { Examples } from "./examples.tsx";
import { QUESTION_WORDS } from "./question-words.ts";
import styles from "./questions.module.css";
import { examplesOf, type Say } from "./say-question.ts";
import type { Answering } from "./use-answers.ts";

/** The choices of a question as buttons; one click answers it. */
export function ChoiceButtons({
  question,
  say,
  answering,
  labels,
  compact = false,
}: {
  question: Question;
  say: Say;
  answering: Answering;
  /** The attributes that name the group. */
  labels: { "aria-labelledby"?: string; "aria-describedby"?: string; "aria-label"?: string };
  compact?: boolean;
}) {
  const words = useWords(QUESTION_WORDS);
  const { id, answer, default: suggested } = question;
  const sent = answering.sent[id];
  const chosen = sent ?? choiceTaken(question);
  const { each } = examplesOf(question);
  const choose = (choice: string) => {
    // The button stays enabled while it saves: a disabled one would lose the focus.
    if (sent !== undefined || choice === answer) return;
    answering.send({ [id]: choice });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be named by the heading of its card
    <div
      role="group"
      {...labels}
      className={compact ? styles.row : styles.choices}
      aria-busy={sent !== undefined}
    >
      {question.choices.map((choice) => (
        <UnstyledButton
          key={choice.id}
          className={styles.choice}
          aria-pressed={chosen === choice.id}
          onClick={() => choose(choice.id)}
        >
          <span className={styles.name}>
            <span className={styles.mark} aria-hidden />
            <span>
              <bdi>{say.choice(question, choice)}</bdi>
              {choice.id === suggested && answer === null && (
                <span className={styles.suggested}> {words.suggested}</span>
              )}
            </span>
            {sent === choice.id && <Loader size="xs" aria-label={words.saving} role="status" />}
          </span>
          {each && <Examples of={choice.examples} />}
        </UnstyledButton>
      ))}
    </div>
  );
}
