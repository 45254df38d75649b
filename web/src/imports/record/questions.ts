import type { ImportQuestion } from "../../../../src/contract/imports/import-question.ts";

/** A question of an import. */
export type Question = ImportQuestion;

/** Whether a question is about how the file is read; the others are about its columns. */
export const isAboutFile = ({ kind, id }: Pick<Question, "kind" | "id">): boolean =>
  kind === "encoding" || kind === "header_row" || kind === "program" || id === "rows:footer";

/** Whether a question must be answered before the file can be checked. */
export const isOpen = ({ blocking, answer }: Pick<Question, "blocking" | "answer">): boolean =>
  blocking && answer === null;

/** Returns the choice that counts: the answer, or without one the suggestion; null if there is neither, or an answer is needed. */
export const choiceTaken = (question: Question): string | null =>
  isOpen(question) ? null : (question.answer ?? question.default);

/** Whether an example of a question, which may be cut, is of this cell. */
export function isExampleOf(example: string, cell: string): boolean {
  const text = cell.replaceAll(/\s+/g, " ").trim();
  return example.endsWith("…") ? text.startsWith(example.slice(0, -1)) : text === example;
}
