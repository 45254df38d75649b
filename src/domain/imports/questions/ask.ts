import type { ImportQuestion } from "../../../contract/imports/import-question.ts";
import type { QuestionKind } from "../../../contract/lists/files.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import type { RowKind } from "../file/row-watch.ts";
import type { Doubts } from "../file/shape/import-file.ts";
import type { Draft } from "../mapping/draft.ts";
import type { ImportTarget } from "../mapping/import-target.ts";
import type { Preset } from "../mapping/preset-list.ts";

type Choice = ImportQuestion["choices"][number];

/** A question while a mapping is made: `apply` changes the draft as a choice says. */
export interface Ask extends Omit<ImportQuestion, "answer" | "answered_in"> {
  /** Of a blocking question: what applies where nobody can be asked; a question without one refuses the file there. */
  unasked?: string;
  apply(choice: string): void;
}

/** What questions are asked about. */
export interface Asking {
  draft: Draft;
  columns: readonly ColumnProfile[];
  target: ImportTarget;
  preset: Preset | undefined;
  /** The kinds of rows by their filled columns; undefined if they are not known. */
  kinds: readonly RowKind[] | undefined;
  doubts: Doubts;
  /** Whether the caller may create fields and options. */
  mayCreate: boolean;
  /** Whether the mapping was given, so that only what it leaves open is asked. */
  isGiven: boolean;
}

const SHOWN = 60;
const EXAMPLES = 3;

/** A choice with examples, which are cut. */
export const choice = (id: string, label: string, examples: readonly string[] = []): Choice => ({
  id,
  label,
  examples: examples.slice(0, EXAMPLES).map(cut),
});

/** A choice of a column, with its first cells. */
export const columnChoice = ({ name, samples }: ColumnProfile): Choice => choice(name, name, samples);

/** A text short enough to be shown in a question. */
export const cut = (text: string): string => {
  const line = [...text.replaceAll(/\s+/g, " ").trim()];
  return line.length > SHOWN ? `${line.slice(0, SHOWN).join("")}…` : line.join("");
};

/** Builds a question that does not block; with a careful default. */
export const ask = (
  kind: QuestionKind,
  id: string,
  parts: Pick<Ask, "message" | "choices" | "default" | "apply"> & Partial<Ask>,
): Ask => ({ columns: [], examples: [], blocking: false, ...parts, kind, id });
