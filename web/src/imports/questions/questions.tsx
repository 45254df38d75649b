import { Stack, Text, Title } from "@mantine/core";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { useWords } from "../../words/use-words.ts";
import { isAboutFile, type Question } from "../record/questions.ts";
import { ColumnQuestions } from "./column-questions.tsx";
import { QuestionCard } from "./question-card.tsx";
import { QUESTION_WORDS } from "./question-words.ts";
import { isAboutValue, useSay } from "./say-question.ts";
import { useAnswers } from "./use-answers.ts";
import { ValueQuestions } from "./value-questions.tsx";

/** What an import's file or its columns leave open: first what must be answered, then what has a suggestion. */
export function Questions({ record, about }: { record: Import; about: "file" | "columns" }) {
  const words = useWords(QUESTION_WORDS);
  const say = useSay(record);
  const answering = useAnswers(record.id);
  const asked = record.questions.filter((question) => isAboutFile(question) === (about === "file"));
  // A question stays in its place when it is answered, so that the focus does, too.
  const first = asked.filter(({ blocking }) => blocking);
  const others = asked.filter(({ blocking }) => !blocking);
  const columns = others.filter(isAboutColumn);
  const values = others.filter(isAboutValue);
  const single = others.filter((question) => !isAboutColumn(question) && !isAboutValue(question));
  const card = (question: Question) => (
    <QuestionCard key={question.id} question={question} say={say} answering={answering} />
  );
  return (
    <>
      {first.length > 0 && (
        <Stack gap="sm" component="section">
          <Title order={2}>{words.first}</Title>
          {first.map(card)}
        </Stack>
      )}
      {others.length > 0 && (
        <Stack gap="sm" component="section">
          <div>
            <Title order={2}>{words.others}</Title>
            <Text size="sm" c="dimmed">
              {words.othersWhat}
            </Text>
          </div>
          {single.map(card)}
          {byColumn(values).map((questions) => (
            <ValueQuestions key={questions[0].id} questions={questions} say={say} answering={answering} />
          ))}
          {columns.length > 0 && <ColumnQuestions questions={columns} say={say} answering={answering} />}
        </Stack>
      )}
    </>
  );
}

const isAboutColumn = ({ kind }: Question): boolean => kind === "note" || kind === "unused_column";

function byColumn(questions: readonly Question[]): [Question, ...Question[]][] {
  const groups = new Map<string, [Question, ...Question[]]>();
  for (const question of questions) {
    const column = question.columns[0] ?? "";
    const group = groups.get(column);
    if (group === undefined) groups.set(column, [question]);
    else group.push(question);
  }
  return [...groups.values()];
}
