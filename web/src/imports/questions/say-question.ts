import type { Import } from "../../../../src/contract/imports/import.ts";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { type Named, useLocale, useWords } from "../../words/use-words.ts";
import { useFillable } from "../columns/use-fillable.ts";
import { ENCODING_NAMES } from "../file/encoding-names.ts";
import { PRESETS } from "../file/file-words.ts";
import type { Question } from "../record/questions.ts";
import { CHOICE_WORDS, CHOICES } from "./choice-words.ts";
import { type About, SENTENCES, type Sentence } from "./question-words.ts";

type Choice = Question["choices"][number];

/** The questions of an import and their choices in the person's language. */
export interface Say {
  sentence(question: Question): Sentence;
  choice(question: Question, choice: Choice): string;
  /** The name of the field that a question is about. */
  field(question: Question): string;
}

const LONGEST = 60;
const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** The field of `two_columns:{field}`, `option:{field}` and `option:{field}:{value}`. */
const fieldIn = ({ id }: Question): string => id.split(":")[1] ?? "";

/** Whether a question is about one value of a column. */
export const isAboutValue = ({ kind, id }: Question): boolean =>
  kind === "option" && id.split(":").length > 2;

/** Whether a question is what a value of an opt-out column means. */
export const isOptOutWord = ({ kind, choices }: Question): boolean =>
  kind === "option" && choices.some(({ id }) => id === "opt_out");

/** Returns the name of a question's sentence. */
function sentenceName(question: Question): string {
  const { kind, id, columns } = question;
  if (kind === "option") return isAboutValue(question) ? kind : "options";
  if (kind !== "rows" || columns.length > 0) return kind;
  return id === "rows:footer" ? "footer" : "test";
}

/** Returns what says the questions of an import. A kind that this panel does not know is shown in the service's words. */
export function useSay(record: Import): Say {
  const locale = useLocale();
  const words = useWords(CHOICE_WORDS);
  const encodings: Named<string> = useWords(ENCODING_NAMES);
  const choices = useWords(CHOICES);
  const sentences: Named<string, (about: About) => Sentence> = useWords(SENTENCES);
  const { number, list } = useFormat();
  const { currency } = useProject();
  const { fields } = useFillable(record);
  const programs: Named<string> = PRESETS;
  const field = (question: Question) => {
    const name = fieldIn(question);
    return fields.get(name)?.label ?? name;
  };
  const choice = (question: Question, { id, label }: Choice): string => {
    const { kind, columns, examples } = question;
    if (kind === "encoding") return encodings[id] ?? label;
    if (kind === "program") return id === "none" ? words.noProgram : (programs[id] ?? label);
    if (kind === "header_row") return id === "none" ? words.noRow : words.row(number(Number(id)));
    if (kind === "currency") {
      if (id !== "none") return `${id} · ${currencyName(locale, id)}`;
      return currency === null ? words.noCurrency : words.ofProject(currency);
    }
    if (id === label && columns.includes(id)) return label;
    if (kind === "identity") return id === "name" ? words.byName : id === "none" ? words.byNothing : label;
    if (id === "create") return words.create(short(examples[0] ?? ""));
    const word = isOptOutWord(question) ? choices.opt_out_word?.[id] : undefined;
    return word ?? choices[kind]?.[id] ?? label;
  };
  const sentence = (question: Question): Sentence => {
    const { message, columns, examples, blocking } = question;
    const suggested = question.choices.find(({ id }) => id === question.default);
    return (
      sentences[sentenceName(question)]?.({
        column: short(columns[0] ?? ""),
        columns: list(columns.map((name) => `“${short(name)}”`)),
        field: field(question),
        example:
          question.kind === "encoding" && suggested !== undefined
            ? choice(question, suggested)
            : short(examples[0] ?? ""),
        count: examples.length,
        isLeads: record.dataset === null,
        isSure: !blocking,
      }) ?? { title: message }
    );
  };
  return { sentence, choice, field };
}

function currencyName(locale: string, code: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: "currency" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Returns the examples of a question: those of each choice if they differ, otherwise once for all of them. */
export function examplesOf(question: Question): { once: readonly string[]; each: boolean } {
  const { choices, examples } = question;
  if (isAboutValue(question)) return { once: [], each: false };
  const [first = [], ...others] = choices.map((choice) => choice.examples);
  const each = others.some((other) => other.join("\n") !== first.join("\n"));
  return { once: each ? [] : examples.length > 0 ? examples : first, each };
}
