import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { addressIn } from "../../../../src/core/navigation.ts";
import { useProject } from "../../session/me.ts";
import { useWords } from "../../words/use-words.ts";
import { isOpen, type Question } from "../record/questions.ts";
import { QUESTION_WORDS } from "./question-words.ts";
import styles from "./questions.module.css";

/** Says that a question must be answered, or that an earlier import has answered it, with a link to it. */
export function AnswerState({ question }: { question: Question }) {
  const words = useWords(QUESTION_WORDS);
  const { id: project } = useProject();
  const { answered_in: from } = question;
  if (isOpen(question)) return <span className={styles.needed}>{words.answerNeeded}</span>;
  if (from === null) return null;
  return (
    <Anchor component={Link} to={addressIn(project, `imports/${from}`)} size="sm">
      {words.earlier}
    </Anchor>
  );
}
