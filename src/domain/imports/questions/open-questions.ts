import type { ImportQuestion } from "../../../contract/imports/import-question.ts";
import type { QuestionKind } from "../../../contract/lists/files.ts";
import { type Fault, malformed, Refusal } from "../../../core/refusal.ts";
import { quoted } from "../../values/bad-input.ts";

const CODES: Partial<Record<QuestionKind, string>> = {
  date_order: "ambiguous_dates",
  decimals: "ambiguous_decimals",
};

/** Returns the blocking questions without an answer, as faults with their code and path. */
export const openFaults = (questions: readonly ImportQuestion[]): Fault[] =>
  questions.flatMap(({ id, kind, columns, message, blocking, answer }) =>
    blocking && answer === null
      ? [
          {
            path: columns.length === 1 ? `$.columns.${columns[0]}` : `$.${id}`,
            code: CODES[kind] ?? kind,
            message,
          },
        ]
      : [],
  );

/** Refuses (409) a file with blocking questions that have no answer. */
export function mustBeAnswered(questions: readonly ImportQuestion[]): void {
  const faults = openFaults(questions);
  const [first] = faults;
  if (first !== undefined) throw new Refusal("conflict", first.code, first.message, { faults });
}

/** Refuses (400) answers to questions that are not asked, and choices that a question does not have. */
export function mustBeAsked(
  questions: readonly Pick<ImportQuestion, "id" | "choices">[],
  answers: Readonly<Record<string, string>> = {},
): void {
  const faults = Object.entries(answers).flatMap(([id, choice]): Fault[] => {
    const path = `$.${id}`;
    const question = questions.find((each) => each.id === id);
    if (question === undefined)
      return [{ path, code: "unknown_question", message: `${quoted(id)} is not a question of this import` }];
    if (question.choices.some((each) => each.id === choice)) return [];
    const known = question.choices.map((each) => each.id).join(", ");
    return [{ path, code: "unknown_choice", message: `must be one of ${known}` }];
  });
  if (faults.length > 0) throw malformed(faults.slice(0, 20));
}
